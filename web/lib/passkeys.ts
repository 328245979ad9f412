/** Whether the browser has passkeys, and in a page that may ask for them: those of frames on other sites may not. */
export function hasPasskeys(): boolean {
  return window.top === window && typeof window.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function';
}

/** Creates a passkey. @returns what the server is sent @throws if the user did not, or the browser refused to ask */
export async function createPasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<string> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  return print(await navigator.credentials.create({ publicKey }));
}

/** Signs with a passkey. @returns what the server is sent @throws if the user did not, or the browser refused to ask */
export async function signWithPasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<string> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return print(await navigator.credentials.get({ publicKey }));
}

function print(credential: Credential | null): string {
  if (!(credential instanceof PublicKeyCredential)) throw new Error('The browser used no passkey');
  return JSON.stringify(credential.toJSON());
}
