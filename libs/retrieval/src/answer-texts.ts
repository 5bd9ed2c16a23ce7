/** "Nothing in the documents answers this question.", by ISO 639-1. */
const NOTHING_FOUND: Readonly<Record<string, string>> = {
  en: 'I found nothing in the documents that answers this question.',
  da: 'Jeg fandt intet i dokumenterne, der besvarer dette spørgsmål.',
  de: 'In den Dokumenten habe ich nichts gefunden, was diese Frage beantwortet.',
  sv: 'Jag hittade inget i dokumenten som besvarar den här frågan.',
  no: 'Jeg fant ingenting i dokumentene som besvarer dette spørsmålet.',
  nl: 'Ik heb in de documenten niets gevonden dat deze vraag beantwoordt.',
  fr: "Je n'ai rien trouvé dans les documents qui réponde à cette question.",
  es: 'No he encontrado nada en los documentos que responda a esta pregunta.',
  it: 'Non ho trovato nulla nei documenti che risponda a questa domanda.',
  pt: 'Não encontrei nada nos documentos que responda a esta pergunta.',
  pl: 'Nie znalazłem w dokumentach niczego, co odpowiada na to pytanie.',
  fi: 'En löytänyt asiakirjoista mitään, mikä vastaa tähän kysymykseen.',
  cs: 'V dokumentech jsem nenašel nic, co by na tuto otázku odpovídalo.',
  is: 'Ég fann ekkert í skjölunum sem svarar þessari spurningu.',
};

/** In English where the language is unknown. */
export const nothingFound = (language: string | null): string =>
  NOTHING_FOUND[language === 'nb' || language === 'nn' ? 'no' : (language ?? 'en')] ?? NOTHING_FOUND.en!;
