/**
 * English and Danish words of five letters and more that name nothing. Shorter ones fall away by their length in
 * every language, so a language that is missing here gets a few weak phrases and no wrong ones.
 */
export const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `about above according across after again against almost along already although always among another around became
  because become becomes before began being below between beyond could despite during either especially every
  everything following found further given having however included includes including instead later least leading
  likely making mainly might moreover mostly never often other others particularly rather several should similar
  similarly since sometimes still their theirs themselves there therefore these thing things those though through
  throughout thus toward towards under unless until usually using various where whereas whether which while whose
  within without would yours
  adskillige aldrig allerede alligevel altid andet andre begge blandt blevet blive bliver burde dennes denne deres
  derefter deraf derfor dermed derudover desuden dette disse efter eftersom egentlig eller ellers endnu endvidere
  enhver fandt fleste flere forbi fordi forskellige fortsat fremfor først første gange gennem givet gjorde gjort
  havde herefter heraf herunder hinanden hvilke hvilken hvilket hvorfor hvordan hvoraf hvorefter hvormed hvornår
  hvorvidt hverken ifølge igennem ikke imellem imens imidlertid imod indtil inden ingen intet kunne langt ligesom
  løbet mange meget mellem mindre mindst måske måtte nogen noget nogle omkring overfor ovenfor samme samtidig senere
  selvom siden sidste sikkert skulle snart sådan således tidligere tilbage trods under uanset uden udover ville
  videre vores været være værende`.split(/\s+/u),
);
