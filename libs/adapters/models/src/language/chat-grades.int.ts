import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GradeModel } from '@postmaster/retrieval';
import { type ModelServer, startModelServer } from '@postmaster/testing';
import { type ChatSettings, modelsAt } from './models-from-config.js';

const paragraph = { title: 'Hours', trail: ['Library'], text: 'The library opens at eight.' };

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
beforeEach(() => {
  Object.assign(server.behaviour, { grade: undefined, refused: [] });
  server.forget();
});
afterAll(() => server.close());

describe.each([
  ['openai', (settings: ChatSettings) => modelsAt('openai', settings).grades],
  ['ollama', (settings: ChatSettings) => modelsAt('ollama', settings).grades],
])('grades from a %s server', (provider, connect) => {
  const judge = (): GradeModel =>
    connect({ url: server.url, model: 'stand-in', again: { attempts: 1, malformed: 1, initialDelayMs: 1 } });

  it('come with their reason, in a form that the server is held to', async () => {
    const graded = { reason: 'It says when.', grade: 9 };
    server.behaviour.grade = graded;
    expect(await judge().judge('When does it open?', paragraph, 'en')).toEqual(graded);
    expect(await judge().judgeAnswer('When does it open?', 'At eight [1].', [paragraph], 'en')).toEqual(graded);
    expect(judge().id).toBe(`${provider}:stand-in`);
    expect(server.calls.map(({ way, asked }) => [way, asked])).toEqual([
      ['json_schema', { kind: 'grade', question: 'When does it open?', texts: [paragraph.text] }],
      ['json_schema', { kind: 'grade', question: 'When does it open?', texts: ['At eight [1].', paragraph.text] }],
    ]);
  });

  it.each([
    ['danish', 'da', 'Du bedømmer'],
    ['english', 'en', 'You grade'],
    ['any other', 'fi', 'You grade'],
  ])('are asked for in the language of the question: %s', async (_, language, words) => {
    await judge().judge('Hvornår?', paragraph, language);
    await judge().judgeAnswer('Hvornår?', 'Klokken otte.', [paragraph], language);
    expect(server.calls.map(({ system }) => system.startsWith(words))).toEqual([true, true]);
  });

  it.each([
    ['a grade off the scale', { reason: 'Good.', grade: 11 }],
    ['half a grade', { reason: 'Good.', grade: 7.5 }],
    ['no reason', { reason: ' ', grade: 7 }],
    ['another form', { verdict: 'good' }],
  ])('are asked for again, and then malformed: %s', async (_, graded) => {
    server.behaviour.grade = graded;
    await expect(judge().judge('When?', paragraph, 'en')).rejects.toMatchObject({ code: 'MODEL_MALFORMED' });
    expect(server.calls).toHaveLength(2);
  });

  it('come from servers that know no schema, too', async () => {
    server.behaviour.refused = ['json_schema', 'tools'];
    expect((await judge().judge('When?', paragraph, 'en')).grade).toBe(8);
  });
});
