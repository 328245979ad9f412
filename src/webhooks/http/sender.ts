/** The headers of every request to a receiver. A compressed answer is not asked for, as none is ever unpacked. */
export function senderHeaders(version: string): Record<string, string> {
  return { 'User-Agent': `Earshot/${version}`, Accept: '*/*', 'Accept-Encoding': 'identity' };
}
