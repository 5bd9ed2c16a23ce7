/**
 * Words that say nothing of what a question is about, by ISO 639-1; question words and auxiliaries are among them.
 * A tenant of three paragraphs has no statistics to learn them from.
 */
const BY_LANGUAGE = {
  en: `a an the and or but if of in on at by for with to from as is are was were be been being am do does did has have
    had having will would shall should can could may might must not no nor so than too very what which who whom whose
    when where why how many much there here this that these those it its he she they them his her their him we us our
    you your i me my about into over under after before between during through up down out off again then once all any
    both each few more most other some such only own same also just because while until against please tell give say
    called name mean happen happened`,
  da: `og i jeg det at en et den til er som på de med han af for ikke der var mig sig men har om vi min havde ham hun nu
    over da fra du ud sin dem os op man hans hvor eller hvad skal selv her alle vil blev kunne ind når være dog noget
    ville jo deres efter ned skulle denne end dette mit også under have dig anden hende mine alt meget sit sine vor mod
    disse hvis din nogle nogen hos blive bliver mange ad hendes været sådan hvem hvilken hvilket hvilke hvornår hvorfor
    hvordan kan må få får fik går gik gør gjorde gøre ved blevet kaldes hedder skete sker`,
  nb: `og i jeg det at en et den til er som på de med han av for ikke der var meg seg men har om vi min hadde ham hun nå
    over da fra du ut sin dem oss opp man hans hvor eller hva skal selv her alle vil ble kunne inn når være noe ville
    deres etter ned skulle denne enn dette mitt også under ha deg annen henne mye sitt sine mot disse hvis din noen hos
    bli blir mange hvem hvilken hvilket hvilke hvorfor hvordan kan må få får fikk går gikk gjør gjorde gjøre ved blitt`,
  sv: `och i jag det att en ett den till är som på de med han av för inte där var mig sig men har om vi min hade honom hon
    nu över då från du ut sin dem oss upp man hans eller vad ska skall själv här alla vill blev kunde in när vara något
    ville deras efter ner skulle denna än detta mitt också under ha dig annan henne mycket sitt sina mot dessa din
    några hos bli blir många vem vilken vilket vilka varför hur kan måste få får fick går gick gör gjorde göra vid`,
  de: `und in ich das der die den dem des ein eine einen einem einer eines zu ist sind war waren wie auf mit er von für
    nicht es mich sich aber hat haben um wir mein hatte hatten ihm sie nun über da aus du sein seine ihr ihre uns man wo
    oder was soll selbst hier alle will wurde wurden konnte wenn werden wird nach dieser diese dieses als auch unter an
    bei durch dich sehr gegen falls einige viele viel wer wen wem welche welcher welches welchen wann warum wieso kann
    muss darf gibt gab vom zum zur im am`,
  nl: `en in ik het dat de een te is zijn was waren als op met hij van voor niet er mij zich maar heeft hebben om we mijn
    had hadden hem zij ze nu over uit je jij ons men waar of wat zal zelf hier alle wil werd werden kon toen worden
    wordt naar deze dit ook onder aan bij door zeer tegen enkele veel hoeveel wie welke welk wanneer waarom hoe kan moet
    mag gaf`,
  fr: `et de la le les un une des du à au aux en dans est sont était étaient que qui quoi dont où ce cet cette ces il elle
    ils elles on nous vous je tu se sa son ses leur leurs pour par sur avec sans sous ne pas plus mais ou si comme être
    été avoir a ont avait quel quelle quels quelles quand pourquoi comment combien y d l qu c s n j m t lequel laquelle`,
  es: `y de la el los las un una unos unas del al a en es son era eran que qué quien quién quienes quiénes cuyo donde
    dónde este esta estos estas ese esa eso él ella ellos ellas se su sus lo le les para por sobre con sin bajo no más
    pero o si sí como cómo ser sido haber ha han había cuál cuáles cuando cuándo cuánto cuánta cuántos cuántas fue
    fueron hay`,
  it: `e di la il lo le gli i un una uno del della dei delle degli al alla in nel nella è sono era erano che chi cosa cui
    dove questo questa questi queste lui lei loro si suo sua suoi sue per da dal dalla su con senza sotto non più ma o
    se come essere stato avere ha hanno aveva quale quali quando perché quanto quanta quanti quante fu l d`,
  pt: `e de a o os as um uma uns umas do da dos das ao à em no na nos nas é são era eram que quem cujo onde este esta
    estes estas esse essa ele ela eles elas se seu sua seus suas lhe para por pelo pela sobre com sem sob não mais mas ou
    como ser sido ter tem têm tinha qual quais quando porque quanto quanta quantos quantas foi foram há`,
  pl: `i w z na do od o u za po dla że co kto czyj gdzie ten ta to te ci tego tej tych on ona oni one się jego jej ich nie
    jest są był była było byli były jak albo lub ale czy który która które jaki jaka jakie kiedy dlaczego ile przez pod
    nad przed`,
  fi: `ja on ei se että oli ovat olivat kuin mikä mitä missä mistä mihin kuka ketä kenen milloin miksi miten kuinka monta
    paljon tämä tuo nämä ne hän he me te minä sinä joka jotka myös mutta tai jos olla ollut`,
} as const satisfies Record<string, string>;

const ALL: ReadonlySet<string> = new Set(Object.values(BY_LANGUAGE).flatMap((words) => words.split(/\s+/)));

/** True in any of the languages: a question's own is not always known. `word` is in lower case. */
export const isFunctionWord = (word: string): boolean => ALL.has(word);
