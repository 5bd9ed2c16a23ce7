/** Questions that a statement answers, by its form: what is asked stands where its verb splits it. */
interface Form {
  pattern: RegExp;
  questions: readonly string[];
}

/** `$name` stands for what a group caught. Danish and English; what a sentence asks for otherwise takes a model. */
const FORMS: readonly Form[] = [
  {
    pattern:
      /^(?<subject>.+?) (?<verb>is|are|was|were) (?<done>\p{L}+(?:ed|en|ung|own|ught|uilt|ritten|ade))(?<rest>.*?)(?: (?<time>in \d{4}))? by (?<by>.+)$/iu,
    questions: ['By whom $verb $subject $done$rest?', 'What $verb $done by $by?', 'When $verb $subject $done?'],
  },
  {
    pattern:
      /^(?<subject>.+?) (?<verb>is|are|was|were) (?<done>\p{L}+(?:ed|en|ung|own|ught|uilt|ritten|ade))(?<rest>.*?) (?<time>in \d{4})$/iu,
    questions: ['When $verb $subject $done$rest?', 'What $verb $done$rest $time?'],
  },
  {
    pattern: /^(?<subject>.+?) (?<verb>is|are|was|were) (?<rest>.+)$/iu,
    questions: ['What $verb $subject?'],
  },
  {
    pattern: /^(?<subject>.+?) blev (?<done>\p{L}+t)(?<rest>.*?)(?: (?<time>i \d{4}))? af (?<by>.+)$/iu,
    questions: ['Hvem blev $subject $done$rest af?', 'Hvad blev $done af $by?', 'Hvornår blev $subject $done?'],
  },
  {
    pattern: /^(?<subject>.+?) blev (?<done>\p{L}+t)(?<rest>.*?) (?<time>i \d{4})$/iu,
    questions: ['Hvornår blev $subject $done$rest?', 'Hvad blev $done$rest $time?'],
  },
  {
    pattern: /^(?<subject>.+?) (?<verb>er|var) (?<rest>.+)$/iu,
    questions: ['Hvad $verb $subject?'],
  },
];

const LONGEST = 300;

/** At most `most` questions from a statement; none where its form is not known, or it is longer than a sentence. */
export const statementQuestions = (statement: string, most: number): string[] => {
  const text = statement.trim().replace(/[.!…]+$/u, '');
  if (text.length > LONGEST) return [];
  for (const { pattern, questions } of FORMS) {
    const groups = pattern.exec(text)?.groups;
    if (groups) return questions.slice(0, most).map((question) => filled(question, groups));
  }
  return [];
};

const filled = (question: string, groups: Record<string, string | undefined>): string =>
  question.replace(/\$(\w+)/g, (_, name: string) => groups[name] ?? '').replace(/\s+/g, ' ');
