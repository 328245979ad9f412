import manifest from '../../package.json' with { type: 'json' };

/** The version of Earshot, as people and receivers read it. */
export const VERSION: string = manifest.version;
