import { requireVariable } from './serve.ts';

/** The page of Earshot that a variant imitates, as HTML. @throws when it is not there */
export async function readPage(): Promise<string> {
  const response = await fetch(requireVariable('PAGE'), { headers: { 'sec-fetch-site': 'same-origin' } });
  const page = await response.text();
  if (response.status !== 200) throw new Error(`${response.url} answers ${response.status} ${page.slice(0, 500)}`);
  return page;
}
