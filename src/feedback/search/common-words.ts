import { foldText } from '../../platform/texts/fold.ts';

/**
 * Words that say nothing about what a post is about, by language: articles, prepositions, pronouns, auxiliaries, and
 * what people write around a wish. Scripts without spaces have none: they are compared by pairs of characters.
 */
const WORDS = `
  a an the and or but nor of in on at to for from with without by as into onto about over under than then when where
  while if so not no is are be been was were it its this that these those there here i me my we us our you your they
  their them he she his her can could will would should may might must do does did have has had get let want need like
  please add allow able also more some any all each every other only just very too which what who how why because since

  der die das den dem des ein eine einen einem einer eines und oder aber von vom im in ins am an auf zu zum zur für mit
  ohne aus bei nach über unter als wie wenn ob so nicht kein keine ist sind war sein es dies diese dieser dieses ich mir
  mich mein meine wir uns unser unsere sie ihr ihre man kann können soll sollte würde möchte bitte auch mehr alle jede
  jeder nur sehr was wer wo warum weil da

  le la les un une des du de d l et ou mais à au aux en dans sur sous par pour avec sans chez vers que qui quoi dont où
  si ne pas plus est sont être il elle ils elles on je me mon ma mes nous notre nos vous votre vos ce cet cette ces son
  sa ses leur leurs peut pouvoir svp s plaît aussi tout tous toute toutes très parce car

  el los las lo unos unas del al y o u pero con sin por para según entre que como cuando donde no es son ser se su sus
  mi mis yo nos nuestro nuestra te tu tus este esta estos estas ese esa eso puede poder quiero favor también más todo
  todos toda todas muy porque

  o os as um uma uns umas do da dos das no na nos nas ao aos e ou mas com sem por para pelo pela que como quando onde
  não é são ser se seu sua seus suas meu minha nós nosso nossa você este esta isso pode poder quero favor também mais
  todo todos toda todas muito porque

  i a w we z ze na do od o u po za przez przy dla bez pod nad oraz lub albo ale że czy jak gdy kiedy gdzie nie jest są
  być to ten ta te tego tej się ja mi mój moja my nas nasz nasza wy jego jej ich można proszę prosze też tylko więcej
  wszystkie każdy bardzo bo ponieważ

  و أو في من إلى على عن مع بدون بين هذا هذه ذلك التي الذي أن إن لا ما هل كل أريد نريد يمكن يرجى كما عند قبل بعد لأن
`;

const common: ReadonlySet<string> = new Set(foldText(WORDS).split(' '));

/** Folded words without those that say nothing. */
export function withoutCommon(words: readonly string[]): readonly string[] {
  return words.filter((word) => !common.has(word));
}
