import assert from 'node:assert/strict';
import { testOnce } from '../support/app.ts';

const MARK = '__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d';
const global = globalThis as { probed?: unknown };

testOnce('a text in a document is never carried out as a program', async ({ gql }) => {
  const code = `${MARK}1), probe: (globalThis.probed = 1`;
  const documents = [
    `{ post(id: "${code}") { id } }`,
    `{ post(id: "${code.replace('__MAGIC', '\\u005f\\u005fMAGIC')}") { id } }`,
    `{ post(id: """${code}""") { id } }`,
    `{ users(search: "x\\"${code}") { id } }`,
    `{ user(ssoId: "x", ssoType: "${code}") { id } }`,
    `{ posts(filters: [{ type: STATUS, is: "${code}" }]) { totalCount } }`,
    `mutation { createUser(ssotype: "SSO", userId: "x", attributes: { a: ["${code}"] }) { id } }`,
    `query($id: String = "${code}") { post(id: $id) { id } }`,
  ];
  for (const document of documents) {
    for (let n = 0; n < 3; n++) await gql(document);
    assert.equal(global.probed, undefined, document);
  }
});
