/** What the sample documents say. Places, people and rules are invented. "# " begins a heading; a list is a page. */

export const LIGHTHOUSE = {
  title: 'Greywater Lighthouse: the keeper’s handbook',
  author: 'Greywater Harbour Trust',
  pages: [
    [
      '# The station',
      'Greywater Lighthouse stands on Skerry Point, eleven miles north of Port Ellery. The tower is 34 metres high and was finished in 1867 by the engineer Ada Thornbury, who had it built of local granite because brick did not withstand the spray of the west gales.',
      'The station is kept by two keepers at a time, who stay for six weeks and are relieved by the supply boat Marigold. A third bed is kept ready for the mechanic, who comes in April and in October to look after the lens and the engine.',
      'Every keeper signs the station book on the first evening. The book names the hour of arrival, the state of the oil tanks and the reading of the barometer; a relief is not complete before both keepers have signed.',
    ],
    [
      '# The lamp',
      'The lamp is lit half an hour before sunset and put out half an hour after sunrise. In fog it burns by day as well. The light shows two white flashes every fifteen seconds and is seen at a distance of nineteen nautical miles in clear weather.',
      'The lens turns in a bath of mercury and is driven by a clockwork with a weight of 140 kilograms. The clockwork must be wound every four hours; a bell rings ten minutes before the weight reaches the floor. Should the clockwork stop, the lens is turned by hand, one turn in thirty seconds, until the mechanic has been called by radio.',
      'The prisms are cleaned each morning with spirit of wine and a linen cloth. Wool must not be used, because its fibres scratch the glass. Mercury that was spilled is gathered with the glass pipette in the red box and never with bare hands.',
    ],
    [
      '# Fog and distress',
      'The fog horn is sounded when the beacon on Tern Rock, two miles away, can no longer be seen. It gives one blast of five seconds each minute. The compressor needs twelve minutes to build up its pressure, so it is started as soon as the mist hides the lower rocks.',
      'A ship in distress is reported to the coast guard at Port Ellery on channel 16, with its bearing from the tower and the hour. One keeper stays with the radio and the other lights the green flare at the landing, which tells the lifeboat that the steps can be used.',
      '# Supplies',
      'The Marigold brings oil, water and food every third Tuesday if the swell at the landing is below two metres. The stores must always hold enough for thirty days. Oil is measured on the first of each month: with less than 900 litres the keepers send for more at once and light the lamp with the smaller burner.',
    ],
  ],
};

export const ALLOTMENTS = {
  title: 'Vedtægter for Haveforeningen Lærkesvinget',
  author: 'Bestyrelsen',
  language: 'da-DK',
  paragraphs: [
    '# Formål',
    'Haveforeningen Lærkesvinget blev stiftet den 12. maj 1948 og ligger ved Engvejens nordlige ende i Birkelund. Foreningen lejer jorden af Birkelund Kommune og fordeler den i 86 havelodder, som medlemmerne bruger til grøntsager, frugt og hvile.',
    '# Medlemmer og venteliste',
    'Enhver, der er fyldt 18 år og har fast bopæl i Birkelund, kan skrives op på ventelisten. Et havelod tilbydes altid den, der har stået længst på listen; den, der takker nej tre gange, ryger bagest. Et medlem kan kun have ét lod, og loddet må ikke udlejes eller lånes ud i mere end fire uger om året.',
    '# Kontingent',
    'Kontingentet er 1.850 kroner om året og skal betales senest den 1. marts. Betales det ikke, sender kassereren en rykker med et gebyr på 150 kroner. Er kontingentet stadig ikke betalt den 15. april, mister medlemmet sit lod, og det tilbydes den næste på ventelisten.',
    '# Havelodder og huse',
    'Et havehus må højst være 40 kvadratmeter, og det skal stå mindst 2,5 meter fra skel. Tegninger godkendes af byggeudvalget, før arbejdet begynder. Hækken mod stien klippes to gange om året, første gang inden sankthans, og må højst være 180 centimeter høj.',
    'Der må ikke bruges kemiske sprøjtemidler i haverne. Vandet er åbent fra den 1. april til den 15. oktober; uden for den tid lukkes der af hensyn til frosten.',
    '# Arbejdsdage og generalforsamling',
    'Hvert medlem deltager i to arbejdsdage om året, hvor fælleshuset, stierne og legepladsen holdes ved lige. Den, der udebliver uden afbud, betaler 300 kroner til fælleskassen.',
    'Generalforsamlingen holdes hvert år i oktober og indkaldes med tre ugers varsel. Forslag skal være formanden i hænde senest fjorten dage før. Vedtægterne kan kun ændres, når to tredjedele af de fremmødte stemmer for.',
  ],
};
