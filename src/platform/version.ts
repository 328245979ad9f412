import manifest from '../../package.json' with { type: 'json' };

/** The version of Earshot, as shown to people and receivers. */
export const VERSION: string = manifest.version;
