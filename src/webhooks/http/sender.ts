/** The headers of every request to a receiver. They do not accept compressed responses, which are never unpacked. */
export function senderHeaders(version: string): Record<string, string> {
  return { 'User-Agent': `Earshot/${version}`, Accept: '*/*', 'Accept-Encoding': 'identity' };
}
