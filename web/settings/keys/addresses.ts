/** Parts of a text that are not addresses or blocks. The server decides; this only helps while typing. */
export function findWrongAddresses(parts: readonly string[]): string[] {
  return parts.filter((part) => !isAddressBlock(part));
}

function isAddressBlock(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const isV4 = isIPv4(address);
  if (more.length > 0 || !(isV4 || isIPv6(address))) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isV4 ? 32 : 128));
}

function isIPv4(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

function isIPv6(text: string): boolean {
  if (!/^[0-9a-f:.]{2,45}$/i.test(text)) return false;
  return URL.canParse(`http://[${text}]/`);
}
