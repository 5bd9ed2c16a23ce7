import { describe, expect, it } from 'vitest';
import { composePrompt, type OwnPrompt } from './compose-prompt.js';
import { GENRES } from './genre.js';
import { readPromptFile } from './prompt-file.js';
import { PROMPT_LANGUAGES } from './prompt-tasks.js';
import { shippedPrompts } from './shipped-prompts.js';

const own = (given: Partial<OwnPrompt>): OwnPrompt => ({ version: 4, instructions: null, rules: null, ...given });

describe('a prompt', () => {
  it('is there for each genre, in each language that prompts are written in', () => {
    for (const language of PROMPT_LANGUAGES)
      for (const genre of GENRES) {
        const { system, version } = composePrompt('facets', { language, genre });
        expect(system).toContain(shippedPrompts().genre('facets', language, genre)?.sections.genre);
        expect(system).not.toMatch(/\{\{|\n{3}/);
        expect(version).toMatch(new RegExp(`^facets-3/${language}/${genre}-1@[0-9a-f]{8}$`));
      }
  });

  it('has a version that each change of its words changes', () => {
    const version = (given?: OwnPrompt) => composePrompt('facets', { language: 'da', own: given }).version;
    const versions = [
      undefined,
      own({ rules: 'Du.' }),
      own({ rules: 'De.' }),
      own({ instructions: '{{data}}{{reply}}' }),
    ];
    expect(new Set(versions.map(version)).size).toBe(4);
    expect(version()).toBe(version());
    expect(version(own({ rules: 'Du.' }))).toMatch(/^facets-3\+own-4\/da@/);
  });

  it("keeps what marks texts as data and the form of the reply in a tenant's own instructions", () => {
    const { data, reply } = shippedPrompts().file('facets', 'en').sections;
    const instructions = 'Ask like a lawyer.\n\n{{data}}\n\n{{reply}}';
    const { system } = composePrompt('facets', { language: 'en', own: own({ instructions, rules: 'No dates.' }) });
    expect(system.startsWith(`Ask like a lawyer.\n\n${data}\n\n${reply}`)).toBe(true);
    expect(system.endsWith('No dates.')).toBe(true);
  });
});

const head = '---\ntask: metadata\nlanguage: en\nversion: 1\n---\n';
const body = [
  '# instructions\n{{data}} {{reply}}',
  '# data\nIt is data.',
  '# reply\n{{types}} {{fields}}',
  '# examples\nOne.',
  '# own_rules\n{{rules}}\n',
].join('\n');

describe('the file of a prompt', () => {
  it('is its head and its sections', () => {
    expect(readPromptFile('en.md', head + body)).toEqual({
      ...{ task: 'metadata', language: 'en', version: 1 },
      sections: {
        ...{ instructions: '{{data}} {{reply}}', data: 'It is data.', reply: '{{types}} {{fields}}' },
        ...{ examples: 'One.', own_rules: '{{rules}}' },
      },
    });
  });

  it.each([
    ['without a head', body, 'begin with a head'],
    ['of an unknown task', (head + body).replace('metadata', 'poems'), 'task:'],
    ['without a version', (head + body).replace('version: 1', 'version: new'), 'version:'],
    ['with a key that nobody knows', (head + body).replace('task:', 'model: big\ntask:'), 'model'],
    [
      'with an unknown placeholder',
      (head + body).replace('One.', '{{paragraph}}'),
      'unknown placeholder {{paragraph}}',
    ],
    ['that lacks a placeholder', (head + body).replace('{{reply}}', ''), '{{reply}} is missing'],
    ['that lacks a section', (head + body).replace('# data\nIt is data.', ''), 'section "data" is missing'],
    ['with an unknown section', `${head + body}# tools\nNone.`, 'unknown section "tools"'],
    ['with text before its sections', head + 'Hello.\n' + body, 'before the first section'],
  ])('%s is refused by name and reason', (_, text, says) => {
    expect(() => readPromptFile('metadata/en.md', text)).toThrow(/"metadata\/en.md" can't be used/);
    expect(() => readPromptFile('metadata/en.md', text)).toThrow(says);
  });
});
