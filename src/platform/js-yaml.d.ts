/** The parts of js-yaml that are used, which comes without types. */
declare module 'js-yaml' {
  export class Type {
    constructor(tag: string, options: { kind: 'sequence' | 'scalar' | 'mapping' });
  }
  type Schema = { extend(type: Type): Schema };
  export const DEFAULT_SCHEMA: Schema;
  export const CORE_SCHEMA: Schema;
  export function load(text: string, options?: { schema?: Schema }): unknown;
  export function dump(value: unknown, options?: { lineWidth?: number; noRefs?: boolean }): string;
}
