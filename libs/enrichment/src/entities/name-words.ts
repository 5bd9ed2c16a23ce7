const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/u));

/** At the end of a company's name; without dots, in lower case. */
export const LEGAL_FORMS = words(`
  a/s aps i/s k/s p/s amba a.m.b.a ivs smba ltd limited inc incorporated llc llp plc corp corporation co gmbh ag kg ab oy
  oyj asa sa s.a nv n.v bv b.v spa s.p.a srl`);

/** Words of which one makes a name that of an organisation. */
export const ORGANISATION_WORDS = words(`
  agency alliance apotek army assembly association authority bank banken board bureau centre center charity church club college
  commission committee company congress consortium cooperative council court department enterprises federation fond fonden
  forbund forbundet forening foreningen forlag forlaget foundation fund group gruppen guild gymnasium holding hospital
  hospitalet industries initiative institut institute instituttet institution journal kirke kirken klinik klinikken klub
  kommission kommissionen kommune laboratories laboratory league library ministeriet ministry museet museum navy nævnet
  office orchestra organisation organisationen organization parliament partiet party police politi politiet radio region
  regiment rådet school selskab selskabet senate skole skolen society studio studios styrelsen syndicate team theatre
  times trust union universitet universitetet university`);
export const ORGANISATION_ENDING =
  /(?:banken|fonden|foreningen|forbundet|gymnasiet|hospitalet|instituttet|kommissionen|kommunen|ministeriet|museet|nævnet|partiet|rådet|selskabet|skolen|styrelsen|universitet|universitetet|værket)$/u;

/** Words of which one makes a name that of a place, and how names of places end. */
export const PLACE_WORDS = words(`
  airport allé avenue bay beach bridge canal castle cathedral county creek falls fjord forest gade gaden hill hills island
  islands kanal lake lufthavn mount mountain mountains ocean park palace peninsula plads province river road sea slot
  square stadium station strait street strand torv vale valley vej vejen village`);
/** Of them, what persons are called, too. */
export const SURNAMES = words('bay beach castle falls forest hill hills lake park strand vale banke lund');
export const PLACE_ENDING =
  /.{2,}(?:gade|gaden|gades|vej|vejen|vejs|stræde|torv|plads|allé|fjord|fjorden|sund|havn|købing|strup)$/u;

/** Before a person's name and no part of it; without dots. */
export const TITLES = words(`
  hr fru frk dr mr mrs ms miss prof professor sir lady lord dame dronning kong kongen konge prins prinsesse queen king prince
  princess pave pope biskop bishop general captain kaptajn colonel oberst sergeant direktør director formand chairman
  chairwoman minister statsminister udenrigsminister finansminister borgmester mayor senator president præsident kansler
  chancellor governor secretary ambassadør ambassador advokat lektor overlæge læge doctor lærer redaktør forfatter
  kunstner arkitekt architect engineer ingeniør kollega colleague justice judge dommer sankt skt saint emperor kejser
  empress baron count duke hertug grev greve`);

/** Titles that are written with a dot, after which no sentence begins. */
export const SHORT_TITLES = words('hr dr mr mrs ms prof skt st jr sr fr frk');

/** Capitals that begin a sentence or a letter and name nothing. */
export const OPENERS = words(`
  yesterday today tomorrow tonight monday next last dear hello thanks regards please note see see also figure table section
  chapter appendix article page step according additionally consequently furthermore hence meanwhile nevertheless once
  originally recently soon two three four five six seven eight nine ten first second third new old many most
  bemærk kære hej tak hilsen venlig venlige med endelig ifølge derefter dengang dog figur kapitel afsnit tabel side bilag
  virksomheden selskabet firmaet byen landet filmen bogen bandet holdet spillet manden kvinden
  artikel trin nu snart igen her hos hvis ny nye alle både to tre fire fem seks syv otte ni ti vi jeg de du`);

/** Cities that texts of these two languages name without a word beside them that tells; countries are Intl's. */
export const CITIES = words(`
  aalborg aarhus århus aabenraa billund bornholm brønderslev esbjerg faaborg fredericia frederikshavn
  frederikssund fyn haderslev helsingør herning hillerød hjørring hobro holbæk holstebro horsens jylland kalundborg kolding
  korsør køge lolland lyngby maribo middelfart nakskov nyborg nykøbing næstved odense randers ribe ringsted roskilde
  rønne silkeborg sjælland skagen skanderborg skive slagelse svendborg sønderborg thisted tønder vejle viborg vordingborg
  københavn copenhagen amsterdam ankara athen athens baghdad bangkok barcelona beijing belfast berlin bern boston bruxelles
  brussels budapest bucharest cairo canberra chicago cologne delhi detroit dublin edinburgh firenze florence frankfurt
  geneva genève glasgow göteborg hamburg hanoi havana helsinki houston istanbul jakarta jerusalem johannesburg kairo karachi
  kiev kyiv köln leeds lisbon lissabon liverpool london lyon madrid malmö manchester marseille melbourne miami milan milano
  montreal moscow moskva mumbai munich münchen nairobi napoli naples oslo paris philadelphia prag prague riga rome rom
  rotterdam seattle seoul shanghai singapore sofia stockholm sydney tallinn teheran tokyo toronto torino turin vancouver
  venedig venice vienna vilnius warsaw warszawa washington wien zagreb zürich zurich
  africa afrika antarctica antarktis asia asien europe europa oceania scandinavia skandinavien england scotland skotland
  wales california kalifornien florida texas`);
export const LONG_CITIES: ReadonlySet<string> = new Set(
  ['buenos aires', 'cape town', 'den haag', 'hong kong', 'los angeles', 'new delhi', 'new orleans', 'new york']
    .concat([
      'new york city',
      'rio de janeiro',
      'san diego',
      'san francisco',
      'sankt petersborg',
      'st petersburg',
      'tel aviv',
    ])
    .concat(['middle east', 'mellemøsten', 'north america', 'south america', 'nordamerika', 'sydamerika']),
);

/** "J", "J.", "H.C." */
export const INITIAL = /^\p{Lu}(?:\.?|\.\p{Lu}\.?)$/u;
