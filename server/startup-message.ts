import type { DemoAccount } from './about-routes.ts';

export interface StartupMessage {
  readonly address: string;
  /** Other machines can connect, but no public URL is configured. */
  readonly lacksPublicUrl: boolean;
  readonly dataFolder: string;
  readonly demoAccounts: readonly DemoAccount[];
  /** One-time key of an installation without administrator. */
  readonly firstAdministratorKey: string | null;
}

const demoLines = (accounts: readonly DemoAccount[]): string[] => {
  const width = Math.max(...accounts.map(({ email }) => email.length));
  return accounts.map(
    ({ email, password, role, clinic }, index) =>
      `  ${index === 0 ? 'Sign in ' : '        '} ${email.padEnd(width)}  ${password}  ${role}${clinic ? `, ${clinic}` : ''}`,
  );
};

/** Returns the text shown in the terminal while the server runs. */
export const startupMessage = ({
  address,
  lacksPublicUrl,
  dataFolder,
  demoAccounts,
  firstAdministratorKey,
}: StartupMessage): string =>
  [
    '',
    `  Dentarium runs at  ${address}`,
    '',
    ...(lacksPublicUrl
      ? ['  Set DENTARIUM_PUBLIC_URL to the address that people type: see HTTPS in docs/operate.md.', '']
      : []),
    ...(demoAccounts.length > 0 ? [...demoLines(demoAccounts), ''] : []),
    ...(firstAdministratorKey
      ? [
          '  There is no administrator yet. This link makes the first one; it works once:',
          // The URL fragment is not sent to the server, so the key appears in no log.
          `  ${address}/setup#${firstAdministratorKey}`,
          '',
        ]
      : []),
    `  Data     ${dataFolder}`,
    '  Stop     Ctrl-C',
    '',
  ].join('\n');
