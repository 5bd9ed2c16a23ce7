/** Common first names in Denmark and where English is spoken, in lower case: before another name they tell a person. */
export const GIVEN_NAMES: ReadonlySet<string> = new Set(
  `adam agnes albert alberte alexander alfred alice allan amalie amanda amelia amy anders andrea andreas andrew andy ane
  anette angela anita anja ann anna annabel anne annemarie annette anni anthony anton arne arthur asger asta astrid august
  barbara bent benjamin bente birgit birgitte birthe bjarne bo bob brian bruce camilla carl carla carol caroline carsten
  catherine cathrine cecilie charles charlie charlotte chris christian christina christine christopher claire clara claus
  connie daniel daniella david deborah dennis diana diane dominic donald dorothy dorte dorthe ebbe edith edward egon einar
  eleanor elias elin elisabeth elise elizabeth ella ellen elna else emil emilie emily emma eric erik erling ernest esben
  esther eva evan evelyn faye finn flemming frances francis frank freddy frederick frederik frederikke freja fritz gary
  george gerald gerda gert gitte gorm grace gregory grete grethe gunnar gustav hanna hannah hanne hans harald harold harriet
  harry heather heidi helen helena helene helge helle henning henrik henry henriette herbert hugo ib ida inga inge ingeborg
  inger ingrid isabel isabella isla ivan jack jacob jakob james jamie jan jane janet janne janni jean jeff jeffrey jennifer
  jens jeppe jeremy jesper jessica jette jill jim joan joe johan johanne john johnny jon jonas jonathan jonna jørgen jørn
  josef josefine joseph joshua joyce judith judy julia julian julie june justin jytte kaj karen kari karin karina karl karla
  karoline karsten kasper kate katharina katherine kathleen kathrine katja katrine kay keith kelly ken kenneth kevin kim
  kirsten kirstine kjeld knud kristian kristina kristine kristoffer kurt lars lasse laura laurits lauritz laurence lawrence
  lea leif lena lene leo leon leonora linda linn linus lis lisa lisbeth lise liv lone lotte louis louise lucas lucy ludvig
  luke lykke lærke mads magnus maja malene malthe marc marcus maren margaret margit margrethe maria marianne marie marilyn
  marina mark markus martha martin mary mathias mathilde matilde matthew max merete mette mia michael michelle mikael mikkel
  mike mikkeline minna mogens mohammed mona monica morten muhammad nadia nancy nanna natalie natasha nathan neil nicholas
  nick nicolai nicolaj nicole niels nikolaj nina noah nora oda ole olga oliver olivia olaf oscar oskar otto ove palle pamela
  patricia patrick paul paula pauline peder peggy per pernille peter philip philippa pia poul preben rachel ralph rasmus
  raymond rebecca regitze regnar richard rikke rita robert robin roger roland ronald rosa rose ruben rune ruth sally sam
  samantha samuel sandra sanne sara sarah scott sebastian selma seth sharon sidsel signe sigrid sigurd simon simone sine sofia sofie
  solveig sonja sophia sophie sten stephanie stephen steve steven stig stine stuart susan susanne svend sylvia søren tage
  tanja tania teresa thea theodor theodore theresa thomas thor thorkild tim tina tobias tom tommy tony torben tove trine troels
  uffe ulla ulrik ursula vagn valdemar vera verner vibeke victor victoria viggo viktor viktoria vilhelm villads villy vivi
  vivian walter wendy werner wilhelm will william winston wladimir woodrow yvonne zacharias zoe åge åse østen isaac
  hc napoleon nelson nikola albrecht friedrich johann wolfgang ludwig maximilian jürgen klaus giovanni marco pierre jacques
  françois jean-paul antoine`.split(/\s+/u),
);
