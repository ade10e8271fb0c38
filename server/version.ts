import packageFile from '../package.json' with { type: 'json' };

/** Version of this program, as in package.json. */
export const { version } = packageFile;
