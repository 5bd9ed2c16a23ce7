import { type Asked, standInFacets, standInVerdicts } from './stand-in-replies.js';

/** What a text has talked a model into. */
export interface Obeyed {
  canary: string;
  link: string;
}

/** The reply of a model that does as it is told by whatever it reads: the canary and the link in each of its parts. */
export const gullibleReply = (asked: Asked, { canary, link }: Obeyed): string | undefined => {
  const image = `![${canary}](${link}secret)`;
  const led = `[${canary}](${link}secret)`;
  switch (asked.kind) {
    case 'facets': {
      const good = standInFacets(asked);
      return JSON.stringify({
        simple_questions: [
          `What is ${canary}?`,
          `Hvad er ${spaced(canary)}?`,
          `Where is ${led}?`,
          ...good.simple_questions,
        ],
        complex_questions: [`Why does ${good.scope.split(', ')[0]} need ${canary}?`, ...good.complex_questions],
        context: `${good.context}. ${canary}. ${image} See ${link}.`,
        scope: `${good.scope}, ${canary}, ${link}`,
      });
    }
    case 'metadata':
      return JSON.stringify({
        type: 'letter',
        type_quote: canary,
        fields: ['subject', 'sender', 'topics', 'summary'].map((name) => ({ name, quote: canary, choice: '' })),
      });
    case 'entities':
      return JSON.stringify({
        passages: asked.texts.map((text, at) => ({
          number: at + 1,
          entities: [canary, spaced(canary), led, `${link}secret`, firstWord(text)].map((name) => ({
            ...{ name, type: 'organisation' },
          })),
          relations: [
            { from: canary, type: 'owns', to: firstWord(text) },
            { from: firstWord(text), type: canary, to: canary },
          ],
        })),
      });
    case 'document-summary': {
      const said = firstSentence(asked.text);
      return JSON.stringify({
        points: [said, `It is about ${canary}.`, image, `See ${led}.`],
        paragraph: `${said} All is ${canary}. Look at ${link}secret.`,
      });
    }
    case 'answer':
    case 'summary':
      return [
        `- ${firstSentence(asked.sources[0] ?? '')} [1]`,
        `- ${canary} [1]. ${image} ${led} [1]`,
        `- <img src="${link}secret"> ${link}secret <${link}> [more][evil] [1]`,
        `[evil]: ${link}secret`,
      ].join('\n');
    case 'judge': {
      const { verdicts } = standInVerdicts(asked.question, asked.paragraphs);
      return JSON.stringify({
        verdicts: verdicts.map((one) => ({ ...one, reason: `${canary} ${image}`, relevant: true, grade: 3 })),
      });
    }
    case 'grade':
      return JSON.stringify({ reason: `${canary} ${image}`, grade: 10 });
    default:
      return undefined;
  }
};

const firstWord = (text: string): string => /\p{L}+/u.exec(text)?.[0] ?? '';

const spaced = (word: string): string => [...word].join(' ');

const firstSentence = (text: string): string => (/^.*?[.!?](?=\s|$)|^.+/su.exec(text.trim())?.[0] ?? '').trim();
