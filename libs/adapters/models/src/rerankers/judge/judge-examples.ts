import type { Verdict } from '@postmaster/contracts';
import type { QuestionKind } from './question-kind.js';

/** A question, and paragraphs that were judged for it: one that answers it and one that only looks as if. */
export interface JudgeExample {
  kind: QuestionKind;
  question: string;
  judged: readonly ({ paragraph: string } & Verdict)[];
}

const yes = (grade: 2 | 3, paragraph: string, reason: string) => ({ paragraph, reason, relevant: true, grade });
const no = (grade: 0 | 1, paragraph: string, reason: string) => ({ paragraph, reason, relevant: false, grade });

/** Written for this project, about nothing that its evaluation sets are about. */
export const JUDGE_EXAMPLES: Readonly<Record<'en' | 'da', readonly JudgeExample[]>> = {
  en: [
    {
      kind: 'person',
      question: 'Who signs orders above 50,000 kroner?',
      judged: [
        yes(3, 'Orders above 50,000 kroner are signed by the head of purchasing.', 'It names the head of purchasing as the one who signs such orders.'),
        no(1, 'Orders are kept for five years and can be read by everyone in purchasing.', 'It is about orders, but says nothing of who signs them.'),
      ],
    },
    {
      kind: 'time',
      question: 'When does the lease of the warehouse end?',
      judged: [
        yes(3, 'The warehouse in Køge is rented until 31 March 2027, with a notice period of six months.', 'It gives the last day of the lease, 31 March 2027.'),
        no(0, 'The office lease was renewed in May. The landlord pays for the new carpets.', 'It is about the office, not the warehouse.'),
      ],
    },
    {
      kind: 'place',
      question: 'Where are spare keys kept?',
      judged: [
        yes(2, 'All keys that are not in use hang in the cabinet behind the reception.', 'Spare keys are not named, but keys not in use hang behind the reception.'),
        no(1, 'Whoever loses a key reports it to the caretaker on the same day.', 'It is about lost keys, not about where spare ones are.'),
      ],
    },
    {
      kind: 'number',
      question: 'How many days of parental leave does the second parent have?',
      judged: [
        yes(2, 'Each parent has eleven weeks of leave that can not be given to the other.', 'It gives eleven weeks, from which the days can be worked out.'),
        no(1, 'Leave is asked for in writing, eight weeks before it begins.', 'It says how leave is asked for, not how much there is.'),
      ],
    },
    {
      kind: 'reason',
      question: 'Why was the blue pump taken out of service?',
      judged: [
        yes(3, 'Since its bearing ran hot in August, the blue pump has been shut off and drained.', 'The hot bearing is the reason why it was shut off.'),
        no(0, 'The green pump delivers 40 litres a minute and needs oil every spring.', 'It is about another pump, and gives no reason.'),
      ],
    },
    {
      kind: 'manner',
      question: 'How do I get a refund for a cancelled course?',
      judged: [
        yes(3, 'If a course is cancelled, send the receipt to the office; the fee is paid back within two weeks.', 'It gives the steps: send the receipt, and the fee is paid back.'),
        no(1, 'The cancelled course in pottery is held again in the autumn.', 'It is about a cancelled course, but not about its fee.'),
      ],
    },
    {
      kind: 'yes-no',
      question: 'May visitors park in the yard?',
      judged: [
        yes(3, 'The yard is for deliveries only. Guests find free parking in Skovvej.', 'It says that the yard is for deliveries only, so the answer is no.'),
        no(0, 'Visitors get a badge at the reception and wear it throughout.', 'It is about badges for visitors and says nothing of parking.'),
      ],
    },
    {
      kind: 'thing',
      question: 'What does the insurance of the boat cover?',
      judged: [
        yes(2, 'The policy covers theft of the engine; damage by ice is excluded.', 'It names one thing that is covered and one that is not, but hardly all.'),
        no(1, 'The insurance of the boat is paid in two instalments, in January and July.', 'It says when the insurance is paid, not what it covers.'),
      ],
    },
  ],
  da: [
    {
      kind: 'person',
      question: 'Hvem godkender rejser til udlandet?',
      judged: [
        yes(3, 'Rejser uden for Danmark skal godkendes af afdelingslederen, før de bestilles.', 'Afsnittet nævner afdelingslederen som den, der godkender rejser til udlandet.'),
        no(1, 'Rejseafregninger sendes til bogholderiet senest en måned efter hjemkomsten.', 'Det handler om afregning af rejser, ikke om hvem der godkender dem.'),
      ],
    },
    {
      kind: 'time',
      question: 'Hvornår udløber lejemålet på lageret?',
      judged: [
        yes(3, 'Lageret i Køge er lejet til den 31. marts 2027 med seks måneders opsigelse.', 'Afsnittet angiver lejemålets sidste dag, den 31. marts 2027.'),
        no(0, 'Kontorets lejekontrakt blev fornyet i maj. Udlejeren betaler de nye tæpper.', 'Det handler om kontoret og ikke om lageret.'),
      ],
    },
    {
      kind: 'place',
      question: 'Hvor står brandslukkeren i kælderen?',
      judged: [
        yes(2, 'På hver etage hænger slukningsudstyret lige til højre for trappen.', 'Kælderen er ikke nævnt, men udstyret hænger til højre for trappen på hver etage.'),
        no(1, 'Brandslukkere efterses hvert år i oktober af et firma udefra.', 'Det handler om eftersyn af brandslukkere og ikke om, hvor de står.'),
      ],
    },
    {
      kind: 'number',
      question: 'Hvor mange feriefridage har en nyansat?',
      judged: [
        yes(2, 'Alle medarbejdere optjener en halv feriefridag om måneden fra første arbejdsdag.', 'Antallet følger af, at der optjenes en halv dag om måneden.'),
        no(1, 'Feriefridage aftales med den nærmeste leder og kan ikke udbetales.', 'Det siger, hvordan feriefridage aftales, men ikke hvor mange der er.'),
      ],
    },
    {
      kind: 'reason',
      question: 'Hvorfor blev den blå pumpe taget ud af drift?',
      judged: [
        yes(3, 'Efter at lejet løb varmt i august, er den blå pumpe slukket og tømt.', 'Det varme leje er grunden til, at pumpen blev slukket.'),
        no(0, 'Den grønne pumpe leverer 40 liter i minuttet og skal have olie hvert forår.', 'Det handler om en anden pumpe og giver ingen grund.'),
      ],
    },
    {
      kind: 'manner',
      question: 'Hvordan får jeg pengene tilbage for et aflyst kursus?',
      judged: [
        yes(3, 'Aflyses et kursus, sender du kvitteringen til kontoret, og gebyret betales tilbage inden to uger.', 'Afsnittet giver fremgangsmåden: send kvitteringen, så betales gebyret tilbage.'),
        no(1, 'Det aflyste kursus i keramik holdes igen til efteråret.', 'Det handler om et aflyst kursus, men ikke om betalingen.'),
      ],
    },
    {
      kind: 'yes-no',
      question: 'Må gæster parkere i gården?',
      judged: [
        yes(3, 'Gården er kun til vareleverancer. Gæster finder gratis parkering på Skovvej.', 'Gården er kun til vareleverancer, så svaret er nej.'),
        no(0, 'Gæster får et skilt i receptionen og bærer det under hele besøget.', 'Det handler om gæsters skilte og siger intet om parkering.'),
      ],
    },
    {
      kind: 'thing',
      question: 'Hvad dækker bådens forsikring?',
      judged: [
        yes(2, 'Policen dækker tyveri af motoren; skader forårsaget af is er undtaget.', 'Afsnittet nævner noget, der er dækket, og noget, der ikke er, men næppe alt.'),
        no(1, 'Bådens forsikring betales i to rater, i januar og juli.', 'Det siger, hvornår forsikringen betales, og ikke hvad den dækker.'),
      ],
    },
  ],
};
