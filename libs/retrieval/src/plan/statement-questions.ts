/** Questions that a statement answers, by its form: what is asked stands where its verb splits it. */
interface Form {
  pattern: RegExp;
  questions: readonly string[];
}

/** `$name` stands for what a group caught; a question with an empty one is left out. Danish and English. */
const FORMS: readonly Form[] = [
  {
    pattern:
      /^(?<subject>.+?) (?<verb>is|are|was|were) (?<done>\p{L}+(?:ed|en|ung|own|ught|uilt|ritten|ade))(?<rest>.*?)(?: (?<time>in \d{4}))? by (?<by>.+)$/iu,
    questions: ['Who $done $subject$rest?', 'What did $by $done?', 'When $verb $subject $done?'],
  },
  {
    pattern:
      /^(?<subject>.+?) (?<verb>is|are|was|were) (?<done>\p{L}+(?:ed|en|ung|own|ught|uilt|ritten|ade))(?<rest>.*?) (?<time>in \d{4})$/iu,
    questions: ['When $verb $subject $done$rest?', 'What $verb $done$rest $time?'],
  },
  {
    pattern: /^(?<subject>.+?) (?<verb>is|are|was|were) (?<rest>.+)$/iu,
    questions: ['What $verb $subject?', 'What $verb $rest?'],
  },
  {
    pattern: /^(?<subject>.+?) (?<verb>has|have|had|can|must|should|will|may) (?<rest>.+)$/iu,
    questions: ['What $verb $rest?', 'What about $subject?'],
  },
  {
    pattern: /^(?<subject>.+?) blev (?<done>\p{L}+t)(?<rest>.*?)(?: (?<time>i \d{4}))? af (?<by>.+)$/iu,
    questions: ['Hvem $done $subject$rest?', 'Hvad blev $done af $by?', 'Hvornår blev $subject $done?'],
  },
  {
    pattern: /^(?<subject>.+?) blev (?<done>\p{L}+t)(?<rest>.*?) (?<time>i \d{4})$/iu,
    questions: ['Hvornår blev $subject $done$rest?', 'Hvad blev $done$rest $time?'],
  },
  {
    pattern: /^(?<subject>.+?) (?<verb>er|var) (?<rest>.+)$/iu,
    questions: ['Hvad $verb $subject?', 'Hvad $verb $rest?'],
  },
  {
    pattern: /^(?<subject>.+?) (?<verb>har|havde|kan|skal|må|vil|bliver|blev) (?<rest>.+)$/iu,
    questions: ['Hvad $verb $rest?', 'Hvad med $subject?'],
  },
];

/** At most `most` questions from a statement; none where its form is not known. */
export const statementQuestions = (statement: string, most: number): string[] => {
  const text = statement.trim().replace(/[.!…]+$/u, '');
  for (const { pattern, questions } of FORMS) {
    const groups = pattern.exec(text)?.groups;
    if (groups) return questions.slice(0, most).map((question) => filled(question, groups));
  }
  return [];
};

const filled = (question: string, groups: Record<string, string | undefined>): string =>
  question.replace(/\$(\w+)/g, (_, name: string) => groups[name] ?? '').replace(/\s+/g, ' ');
