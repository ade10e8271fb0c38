import type { DemoAccount } from './about-routes.ts';

export interface Screen {
  readonly address: string;
  readonly dataFolder: string;
  readonly demoAccounts: readonly DemoAccount[];
  /** One-time key of an installation that has no administrator. */
  readonly firstAdministratorKey: string | null;
}

const demoLines = (accounts: readonly DemoAccount[]): string[] => {
  const width = Math.max(...accounts.map(({ email }) => email.length));
  return accounts.map(
    ({ email, password, role, clinic }, index) =>
      `  ${index === 0 ? 'Sign in ' : '        '} ${email.padEnd(width)}  ${password}  ${role}${clinic ? `, ${clinic}` : ''}`,
  );
};

/** The one screen that stands in the terminal while the server runs. */
export const screenOf = ({ address, dataFolder, demoAccounts, firstAdministratorKey }: Screen): string =>
  [
    '',
    `  Dentarium runs at  ${address}`,
    '',
    ...(demoAccounts.length > 0 ? [...demoLines(demoAccounts), ''] : []),
    ...(firstAdministratorKey
      ? [
          '  There is no administrator yet. This link makes the first one; it works once:',
          // What stands behind the # never leaves the browser, so the key is in no log on the way.
          `  ${address}/setup#${firstAdministratorKey}`,
          '',
        ]
      : []),
    `  Data     ${dataFolder}`,
    '  Stop     Ctrl-C',
    '',
  ].join('\n');
