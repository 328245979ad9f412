export const name = '0015-store-key';

/** A value that only the key of the store decrypts; and the checksums of applied migrations. */
export function statements(): readonly string[] {
  return [
    'create table key_check (name text primary key, sealed text not null)',
    'alter table migrations add column checksum text',
  ];
}
