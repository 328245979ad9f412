import { keyOf } from './columns.ts';

/** What a column of a table can be. Of those in `lists`, several columns count; of the others, only the first is guessed. */
export const meanings = [
  'id',
  'title',
  'text',
  'author',
  'email',
  'created',
  'status',
  'archived',
  'tags',
  'voters',
  'votes',
  'comments',
  'idea',
  'person',
  'parent',
  'internal',
  'official',
  'approval',
] as const;
/** `field Team` is the field of the board with this name. */
export type Meaning = (typeof meanings)[number] | `field ${string}`;

/** Whether a column is for a field of the board. */
export function isField(text: string): text is `field ${string}` {
  return /^field ./s.test(text);
}

const lists: ReadonlySet<Meaning> = new Set(['tags', 'voters', 'comments']);
/** What databases and products write for yes and for no. */
export const YES = /^(t|true|yes|y|1)$/i;
const NO = /^(f|false|no|n|0)$/i;

/** Whether a cell says yes or no. */
export function isFlag(cell: string): boolean {
  return YES.test(cell) || NO.test(cell);
}

type Names = Partial<Record<(typeof meanings)[number], string>>;

/**
 * The headers by which a column is recognized, the likelier ones first: of products, and in English, German, French,
 * Spanish, Portuguese, Polish, Italian, Dutch, Japanese, Chinese and Arabic.
 */
const headers = {
  id: `id | number | key | bug id | suggestion id | issue key | issue id | card id | post id | idea id | feature id | task id | ticket id | id ticket | identifier
    | nummer | nr | numéro | número | numer | numero | 番号 | 编号 | الرقم`,
  title: `title | idea | subject | summary | name | idea title | post title | feature name | card name | task name
    | suggestion | short description | descrição resumida | resumo curto | feature | feature request | request | story | short desc | titel | thema | betreff | idee | wunsch | vorschlag | zusammenfassung
    | titre | sujet | idée | idées | título | titulo | tema | resumen | resumo | tytuł | temat | titolo | onderwerp
    | タイトル | 件名 | 要約 | 要望 | 標題 | 标题 | 主题 | 建议 | العنوان`,
  text: `description | details | text | body | content | feature description | card description | content markdown
    | issue description | task content | review | message | feedback | beschreibung | inhalt | nachricht | détails | contenu | descripción
    | contenido | detalles | descrição | conteúdo | detalhes | opis | treść | szczegóły | descrizione | contenuto | dettagli
    | omschrijving | beschrijving | notes | 説明 | 詳細 | 内容 | 描述 | 详情 | الوصف`,
  author: `author | author name | created by | creator | user | reporter | submitter | submitted by | requested by
    | opened by | aberto por | aberto a por | abierto por | requester | requestor | created by name | reporter name | user name | full name | your name | ihr name | dein name | vor und nachname | vollständiger name | votre nom | tu nombre | seu nome | autor | verfasser | ersteller
    | erstellt von | meldende person | auteur | créé par | rapporteur | nom | creado por | informador | nombre | criado por
    | nome | autore | utworzył | imię i nazwisko | aangemaakt door | naam | 作成者 | 投稿者 | お名前 | 氏名 | 名前 | 作者 | 创建者
    | 姓名 | الكاتب | الاسم`,
  email: `author email | email | e mail | creator email | user email | email address | author e mail | requester email
    | e mail adresse | adresse e mail | correo electrónico | endereço de e mail | adres e mail | indirizzo email
    | e mailadres | メールアドレス | 邮箱 | 电子邮件 | البريد الإلكتروني`,
  created: `created | created at | date created | created date | created time | created on | created at utc | creation date
    | date | datetime | date time | timestamp | opendate | submitted at | submitted on | submission date | submitted | posted | erstellt | erstellt am | angelegt
    | erstellungsdatum | datum | zeitstempel | créé le | créée | date de création | horodateur | fecha de creación | creado
    | creada | fecha | marca temporal | criado em | data de criação | carimbo de data hora | utworzono | data utworzenia
    | data | sygnatura czasowa | creato il | data di creazione | informazioni cronologiche | aangemaakt op | tijdstempel
    | 作成日時 | 作成日 | タイムスタンプ | 创建时间 | 创建日期 | 时间戳记 | تاريخ الإنشاء | طابع زمني`,
  status: `status | state | current state | bug status | section column | status name | state name | list name | stage | zustand | statut | état | estado | stan | stato
    | ステータス | 状態 | 状态 | الحالة`,
  archived: 'archived | is archived | archiviert | archivé | archivado | arquivado',
  tags: `tags | tag | labels | label | categories | category | topics | schlagwörter | kategorien | kategorie | etiketten
    | étiquettes | catégories | catégorie | etiquetas | categorías | categoría | categorias | categoria | etykiety
    | kategoria | etichette | categorie | タグ | ラベル | カテゴリ | 标签 | 分类 | الوسوم`,
  voters: 'voters | voter emails | voter email | upvoters | upvoter emails | voters emails',
  votes: `votes | upvotes | vote count | votes count | number of votes | total votes | upvote count | total likes
    | votes value | stimmen | votos | głosy | voti | stemmen | 票数 | 投票数 | 得票数 | الأصوات`,
  comments: 'comment | comments | kommentar | kommentare | commentaires | comentarios | comentários',
} satisfies Names;

/** Headers in a table of comments or votes, by which it is recognized if it has no title: the id of the idea comes first. */
const ofParts: Names = {
  idea: 'post id | idea id | suggestion id | feature id | request id | feedback id',
  id: 'id | comment id | vote id',
  text: 'body | content | text | comment | comment text | message',
  author: `${headers.author} | voter | voter name`,
  email: `${headers.email} | voter email`,
  person: 'user id | author id | author user id | voter id | member id | principal id',
  created: headers.created,
  parent: 'parent id | parent comment id | reply to id | in reply to',
  internal: 'is private | is internal | private | internal',
  official: 'is post update | is official | official',
  approval: 'moderation state | moderation status | approval status',
};

const known = byName(headers);
const knownOfParts = byName(ofParts);

type Found = { meaning: (typeof meanings)[number]; place: number };

/** What a header means, and how likely it is among those that mean the same: 0 is the likeliest. */
function byName(lists: Names): ReadonlyMap<string, Found> {
  return new Map(
    meanings.flatMap((meaning) =>
      (lists[meaning]?.split('|') ?? []).map((name, place) => [keyOf(name), { meaning, place }] as const),
    ),
  );
}

/** What is seen of a column: its header, and how many of the first cells are what. */
export type ColumnFacts = {
  header: string;
  /** Cells that are not empty, and how many of them are dates, single addresses, lists of addresses, and plain numbers. */
  filled: number;
  dates: number;
  addresses: number;
  lists: number;
  numbers: number;
  /** How many say yes or no. */
  flags: number;
  /** How many cells are different from those above them, and short enough for a title. */
  different: number;
  /** How many cells have a sentence or more. */
  long: number;
};

/** What columns are by their headers, and, for what an idea cannot do without, by their values. */
export function guessMeanings(columns: readonly ColumnFacts[]): (Meaning | null)[] {
  const keys = columns.map(({ header }) => keyOf(header));
  const guessed = guessByNames(columns, keys, known);
  if (guessed.includes('title')) return guessByValues(guessed, columns);
  const parts = guessByNames(columns, keys, knownOfParts);
  return parts.includes('idea') ? parts : guessByValues(guessed, columns);
}

function guessByNames(
  columns: readonly ColumnFacts[],
  keys: readonly string[],
  names: ReadonlyMap<string, Found>,
): (Meaning | null)[] {
  const named = keys.map((key) => names.get(key));
  const likeliest = new Map<Meaning, number>();
  for (const found of named) {
    if (found)
      likeliest.set(found.meaning, Math.min(found.place, likeliest.get(found.meaning) ?? Number.MAX_SAFE_INTEGER));
  }
  const taken = new Set<Meaning>();
  return columns.map((column, n): Meaning | null => {
    const found = named[n];
    if (!found || contradicts(found.meaning, column)) return null;
    const { meaning, place } = found;
    if (lists.has(meaning)) return meaning;
    if (likeliest.get(meaning) !== place || taken.has(meaning)) return null;
    taken.add(meaning);
    return meaning;
  });
}

/** Whether the values are something else: `comments` of GitHub is a number, and `Voters` sometimes, too. */
function contradicts(meaning: Meaning, { filled, numbers, flags }: ColumnFacts): boolean {
  const isNumeric = filled > 0 && numbers === filled;
  if (meaning === 'votes') return filled > 0 && numbers === 0;
  // Some products have the date of that, also of what is completed.
  if (meaning === 'archived') return flags < filled;
  return (
    isNumeric &&
    (meaning === 'voters' ||
      meaning === 'comments' ||
      meaning === 'text' ||
      meaning === 'author' ||
      meaning === 'email')
  );
}

/** Headers of dates and people that have nothing to do with who had an idea, and when. */
const OTHERS =
  /due|updat|modif|chang|aktualis|resolv|complet|clos|start|end|archiv|assign|owner|last|fällig|geändert|échéance|modific/i;

/** Adds what columns are by their values to what is guessed. */
function guessByValues(guessed: (Meaning | null)[], columns: readonly ColumnFacts[]): (Meaning | null)[] {
  const find = (fits: (facts: ColumnFacts) => boolean) =>
    columns.flatMap((facts, at) => (guessed[at] === null && facts.filled > 0 && fits(facts) ? [at] : []));
  const setOnly = (meaning: Meaning, fits: (facts: ColumnFacts) => boolean) => {
    const [place, ...more] = find((facts) => !OTHERS.test(facts.header) && fits(facts));
    if (!guessed.includes(meaning) && place !== undefined && more.length === 0) guessed[place] = meaning;
  };
  const isAddressed = guessed.includes('email');
  if (!guessed.includes('author')) setOnly('email', ({ filled, addresses }) => addresses === filled);
  // Beside an address whose column is called that, a name is that of a person, unless the table has things with ids.
  const named = columns.findIndex(({ header }) => keyOf(header) === 'name');
  const isFree = guessed[named] === null || (guessed[named] === 'title' && (isAddressed || !guessed.includes('id')));
  if (named >= 0 && isFree && guessed.includes('email') && !guessed.includes('author')) guessed[named] = 'author';
  setOnly('created', ({ filled, dates, numbers }) => dates === filled && numbers === 0);
  setOnly('voters', ({ filled, addresses, lists: found }) => found > 0 && addresses + found === filled);
  const texts = find(
    ({ header, filled, dates, numbers, addresses, lists: found, different }) =>
      !/id$|url$|token/.test(keyOf(header)) && dates + numbers + addresses + found === 0 && different * 2 > filled,
  );
  // A single column with a strange name is more likely a table that is written in another way.
  if (columns.length < 2) return guessed;
  if (!guessed.includes('title') && !guessed.includes('text')) {
    const title = texts.shift();
    if (title !== undefined) guessed[title] = 'title';
  }
  const text = texts.find((place) => (columns[place]?.long ?? 0) > 0);
  if (text !== undefined && !guessed.includes('text')) guessed[text] = 'text';
  return guessed;
}
