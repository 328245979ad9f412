import { generateKeyPairSync, hash, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** What a device may do differently from the one that it was asked on. */
type Deviation = { origin?: string; counter?: number; isUnlocked?: boolean; format?: string };

/** A device with one passkey, as browsers report it to the server. @param more bytes that make its id longer than usual */
export function makeDevice(origin: string, more = 0) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const known = hash('sha256', publicKey.export({ type: 'spki', format: 'der' }), 'buffer');
  const id = Buffer.concat([known, randomBytes(more)]);
  let owner = '';
  const describe = ({ counter = 0, isUnlocked = true }: Deviation, flags: number) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const domain = hash('sha256', new URL(origin).hostname, 'buffer');
    return Buffer.concat([domain, Buffer.from([flags | 0x01 | (isUnlocked ? 0x04 : 0)]), count]);
  };
  const print = (type: string, challenge: string, from: string, response: Record<string, Buffer>) => {
    const clientDataJSON = Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }));
    const encoded = {
      ...response,
      clientDataJSON,
      ...(response.authenticatorData && signed(response, clientDataJSON)),
    };
    const texts = Object.entries(encoded).map(([name, bytes]) => [name, bytes.toString('base64url')]);
    const rawId = id.toString('base64url');
    const credential = { id: rawId, rawId, type: 'public-key', clientExtensionResults: {} };
    return JSON.stringify({ ...credential, response: Object.fromEntries(texts) });
  };
  const signed = ({ authenticatorData = Buffer.of() }: Record<string, Buffer>, clientData: Buffer) => ({
    signature: sign('sha256', Buffer.concat([authenticatorData, hash('sha256', clientData, 'buffer')]), privateKey),
  });
  return {
    /** Creates the passkey. */
    create({ challenge, user }: { challenge: string; user: { id: string } }, how: Deviation = {}): string {
      owner = user.id;
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      const [left, right] = [x, y].map((part) => new Uint8Array(Buffer.from(part, 'base64url')));
      const key = isoCBOR.encode(
        new Map<number, number | Uint8Array | undefined>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, left],
          [-3, right],
        ]) as never,
      );
      const size = Buffer.from([id.length >> 8, id.length & 255]);
      const authData = Buffer.concat([describe(how, 0x40), Buffer.alloc(16), size, id, key]);
      const attestation = new Map<string, unknown>([
        ['fmt', how.format ?? 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ]);
      const attestationObject = Buffer.from(isoCBOR.encode(attestation as never));
      return print('webauthn.create', challenge, how.origin ?? origin, { attestationObject });
    },
    /** Signs a challenge with it. */
    sign({ challenge }: { challenge: string }, how: Deviation = {}): string {
      const response = { authenticatorData: describe(how, 0), userHandle: Buffer.from(owner, 'base64url') };
      return print('webauthn.get', challenge, how.origin ?? origin, response);
    },
  };
}
