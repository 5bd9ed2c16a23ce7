import type { QuestionKind } from '@postmaster/contracts';

/** How a question of a kind opens, or what it holds; the first kind that fits counts. Danish and English. */
export const OPENS: readonly (readonly [QuestionKind, readonly string[]])[] = [
  [
    'summary',
    [
      'summarise',
      'summarize',
      'give me a summary',
      'give a summary',
      'give me an overview',
      'give an overview',
      'sum up',
    ],
  ],
  [
    'summary',
    [
      'opsummer',
      'opsummér',
      'sammenfat',
      'giv et resumé',
      'giv mig et resumé',
      'giv et overblik',
      'giv mig et overblik',
    ],
  ],
  [
    'comparison',
    [
      'compare',
      'sammenlign',
      'hvad er forskellen',
      'hvilken forskel',
      'what is the difference',
      "what's the difference",
    ],
  ],
  [
    'fact',
    [
      'how many',
      'how much',
      'how long',
      'how old',
      'how far',
      'how often',
      'how high',
      'how big',
      'how large',
      'how tall',
    ],
  ],
  [
    'fact',
    [
      'hvor mange',
      'hvor meget',
      'hvor længe',
      'hvor lang',
      'hvor gammel',
      'hvor langt',
      'hvor ofte',
      'hvor høj',
      'hvor stor',
    ],
  ],
  ['explanation', ['why', 'how', 'explain', 'hvorfor', 'hvordan', 'hvorledes', 'forklar']],
  ['list', ['list', 'name', 'what are', 'which are', 'nævn', 'oplist', 'hvad er de', 'hvilke']],
  [
    'fact',
    [
      'who',
      'whom',
      'whose',
      'what',
      'when',
      'where',
      'which',
      'hvem',
      'hvad',
      'hvornår',
      'hvor',
      'hvilken',
      'hvilket',
      'hvis',
    ],
  ],
];

/** A text without a question that holds one of these is a sentence. */
export const FINITE_VERBS = `is are was were has have had does do did will would can could should might must says said
  became becomes discovered wrote built made went came began won lost er var bliver blev har havde gør gjorde vil ville kan
  kunne skal skulle må måtte siger sagde opdagede skrev byggede vandt tabte kom begyndte ligger lå står stod`;
