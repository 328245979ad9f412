import { plain, type Sample, withEach } from './sample.ts';

const LIMIT = '($limit: Int) { posts(limit: $limit, sort: TOP) { nodes { title } hasMore } }';

const scalars: Sample[] = [
  ...withEach(
    `query${LIMIT}`,
    {},
    { limit: null },
    { limit: 1 },
    { limit: 2 },
    { limit: 1.0 },
    { limit: 0 },
    { limit: 101 },
  ),
  ...withEach(
    `query${LIMIT}`,
    { limit: '1' },
    { limit: 1.5 },
    { limit: true },
    { limit: [1] },
    { limit: {} },
    { limit: 3e10 },
  ),
  ...withEach('query($limit: Int = 2) { posts(limit: $limit) { nodes { title } } }', {}, { limit: null }, { limit: 1 }),
  ...withEach(
    'query($limit: Int! = 2) { posts(limit: $limit) { nodes { title } } }',
    {},
    { limit: null },
    { limit: 1 },
  ),
  ...withEach('query($limit: Int!) { posts(limit: $limit) { nodes { title } } }', {}, { limit: null }, { limit: 1 }),
  ...withEach(
    'query($limit: Int, $spare: String) { posts(limit: $limit) { nodes { title @skip(if: false) } } spare: users(search: $spare) { id } }',
    { limit: 1, unknown: 2 },
    { spare: 'ben', limit: 2 },
  ),
  ...withEach(
    'query($id: String!) { post(id: $id) { title } }',
    {},
    { id: null },
    { id: '<dark>' },
    { id: '' },
    { id: 7 },
    { id: ['<dark>'] },
  ),
  ...withEach('query($id: String = "<dark>") { post(id: $id) { title } }', {}, { id: null }, { id: '<bare>' }),
  ...withEach(
    'query($n: Int!) { postByNumber(number: $n) { title } }',
    { n: 1 },
    { n: null },
    { n: 1.5 },
    { n: '1' },
    {},
  ),
  ...withEach('query($n: Int) { posts(where: { number: $n }) { totalCount } }', { n: 1 }, { n: null }, { n: 3e9 }, {}),
  ...withEach(
    'query($t: SSOTypes) { user(ssoId: "ben", ssoType: $t) { name } }',
    {},
    { t: null },
    { t: 'SSO' },
    { t: 'other' },
    { t: '' },
    { t: 1 },
  ),
  ...withEach(
    'query($t: SSOTypes! = SSO) { user(ssoId: "ben", ssoType: $t) { name } }',
    {},
    { t: 'SSO' },
    { t: 'other' },
  ),
  ...withEach('query($t: SSOTypes = "SSO") { user(ssoId: "ben", ssoType: $t) { name } }', {}, { t: null }),
];

const enums: Sample[] = [
  ...withEach(
    'query($s: PostSortOrder) { posts(sort: $s) { nodes { title } } }',
    {},
    { s: null },
    { s: 'TOP' },
    { s: 'OLDEST' },
    { s: 'top' },
    { s: 1 },
    { s: ['TOP'] },
  ),
  ...withEach(
    'query($s: PostSortOrder = OLDEST) { posts(sort: $s) { nodes { title } } }',
    {},
    { s: null },
    { s: 'TOP' },
  ),
  ...withEach('query($s: PostSortOrder! = OLDEST) { posts(sort: $s) { nodes { title } } }', {}, { s: 'TOP' }),
];

const COMMENTS = '{ post(id: "<dark>") { comments(types: $types) { nodes { text } } } }';
const lists: Sample[] = [
  ...withEach(
    `query($types: [CommentType!]) ${COMMENTS}`,
    {},
    { types: null },
    { types: [] },
    { types: ['BASIC'] },
    { types: 'BASIC' },
    { types: ['BASIC', null] },
    { types: ['NONE'] },
  ),
  ...withEach(`query($types: [CommentType!] = [BASIC]) ${COMMENTS}`, {}, { types: null }, { types: ['OFFICIAL'] }),
  ...withEach(`query($types: [CommentType!]! = BASIC) ${COMMENTS}`, {}, { types: 'OFFICIAL' }),
  ...withEach(
    'query($t: CommentType!) { post(id: "<dark>") { comments(types: [$t]) { nodes { text } } } }',
    { t: 'BASIC' },
    { t: 'OFFICIAL' },
  ),
  ...withEach(
    'query($t: CommentType = BASIC) { post(id: "<dark>") { comments(types: [OFFICIAL, $t]) { nodes { text } } } }',
    {},
    { t: null },
    { t: 'OFFICIAL' },
  ),
  ...withEach(
    'query($types: [String!]) { events(types: $types, limit: 3) { nodes { type } } }',
    {},
    { types: ['post.created'] },
    { types: 'post.created' },
    { types: [1] },
    { types: [['post.created']] },
  ),
];

const objects: Sample[] = [
  ...withEach(
    'query($f: [PostFilter!]) { posts(filters: $f) { totalCount } }',
    {},
    { f: null },
    { f: [] },
    { f: { type: 'STATUS', is: 'CUSTOM' } },
    { f: [{ type: 'STATUS', is: 'CUSTOM' }] },
    { f: [{ type: 'STATUS' }] },
    { f: [{ type: 'STATUS', is: null }] },
    { f: [{ type: 'FIELD', label: 'Size', empty: 'true' }] },
    { f: [{}] },
    { f: [{ type: 'OTHER' }] },
    { f: [{ type: 'STATUS', unknown: 1 }] },
    { f: [null] },
    { f: 'CUSTOM' },
    { f: [{ type: 'STATUS', is: 7 }] },
  ),
  ...withEach(
    'query($f: PostFilter!) { posts(filters: [$f, { type: STATUS, is: "COMPLETED" }]) { totalCount } }',
    { f: { type: 'STATUS', is: 'CUSTOM' } },
    { f: null },
  ),
  ...withEach(
    'query($f: [PostFilter!] = [{ type: STATUS, is: "CUSTOM" }]) { posts(filters: $f) { totalCount } }',
    {},
    { f: null },
  ),
  ...withEach(
    'query($is: String) { posts(filters: [{ type: STATUS, is: $is }]) { totalCount } }',
    {},
    { is: null },
    { is: 'CUSTOM' },
  ),
  ...withEach(
    'query($is: String = "CUSTOM") { posts(filters: [{ type: STATUS, is: $is }]) { totalCount } }',
    {},
    { is: null },
    { is: 'COMPLETED' },
  ),
  ...withEach(
    'query($t: PostFilterType!) { posts(filters: [{ type: $t, is: "CUSTOM" }]) { totalCount } }',
    { t: 'STATUS' },
    { t: 'FIELD' },
  ),
  ...withEach(
    'query($t: PostFilterType = STATUS) { posts(filters: [{ type: $t, is: "CUSTOM" }]) { totalCount } }',
    {},
    { t: null },
    { t: 'FIELD' },
  ),
];

const literals: Sample[] = plain(
  '{ posts(limit: 0) { hasMore } }',
  '{ users(search: "quote \\" backslash \\\\ line \\n tab \\t \\u00e9 \\u{1F600}") { name } }',
  '{ users(search: """block "quoted" text""") { name } }',
  '{ users(search: "`x` \u2028 </script> \' */ //") { name } }',
  '{ users(search: "") { name } }',
  '{ users(search: "NaN") { name } }',
  '{ users(search: "__proto__") { name } }',
);

/** How values come in: variables of all kinds, and literals. */
export const inputs: Record<string, Sample[]> = { scalars, enums, lists, objects, literals };
