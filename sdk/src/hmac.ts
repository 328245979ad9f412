type Bytes = Uint8Array<ArrayBuffer>;

const bytesOf = (data: string | Bytes) => (typeof data === 'string' ? new TextEncoder().encode(data) : data);

/** The key of HMAC-SHA256 with the UTF-8 bytes of a secret. */
export function hmacKey(secret: string | Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytesOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

export async function sign(key: CryptoKey, data: string | Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, bytesOf(data)));
}

/** Whether both are the same, in constant time: their signatures with a random key are compared. */
export async function isSame(given: string | Bytes, expected: string | Bytes): Promise<boolean> {
  const key = await hmacKey(crypto.getRandomValues(new Uint8Array(32)));
  return crypto.subtle.verify('HMAC', key, await sign(key, given), bytesOf(expected));
}
