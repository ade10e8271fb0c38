import type { DemoAccount } from './about-routes.ts';
import { documentation } from './program-name.ts';

export interface StartupMessage {
  readonly address: string;
  readonly hasMailServer: boolean;
  readonly hasPublicUrl: boolean;
  readonly dataFolder: string;
  readonly demoAccounts: readonly DemoAccount[];
  /** One-time key of an installation without administrator. */
  readonly firstAdministratorKey: string | null;
  /** Not a service. */
  readonly isInTerminal: boolean;
}

const demoLines = (accounts: readonly DemoAccount[]): string[] => {
  const width = Math.max(...accounts.map(({ email }) => email.length));
  return accounts.map(
    ({ email, password, role, clinic }, index) =>
      `  ${index === 0 ? 'Sign in ' : '        '} ${email.padEnd(width)}  ${password}  ${role}${clinic ? `, ${clinic}` : ''}`,
  );
};

/** Names what is not configured, with the page to read: in one line for the demo clinic. */
const missingLines = ({ hasMailServer, hasPublicUrl, demoAccounts }: StartupMessage): string[] => {
  const isDemo = demoAccounts.length > 0;
  const missing = [
    ...(hasMailServer
      ? []
      : [
          {
            name: 'E-mail',
            effect: 'users cannot request a new password themselves',
            page: documentation('sign-in.md'),
          },
        ]),
    ...(hasPublicUrl
      ? []
      : [
          {
            name: 'DENTARIUM_PUBLIC_URL',
            effect: 'reset links and other ways to sign in work on this machine only',
            page: `${documentation('operate.md')}, HTTPS`,
          },
        ]),
  ];
  if (missing.length === 0) return [];
  if (isDemo) return [`  Not configured: ${missing.map(({ name, page }) => `${name} (${page})`).join(', ')}`, ''];
  return ['  Not configured', ...missing.map(({ name, effect, page }) => `    ${name}: ${effect} (${page})`), ''];
};

/** Returns the text shown in the terminal while the server runs. */
export const startupMessage = (message: StartupMessage): string => {
  const { address, dataFolder, demoAccounts, firstAdministratorKey } = message;
  return [
    '',
    `  Dentarium runs at  ${address}`,
    '',
    ...(demoAccounts.length > 0 ? [...demoLines(demoAccounts), ''] : []),
    ...(firstAdministratorKey
      ? [
          '  There is no administrator yet. This link makes the first one; it works once:',
          // The URL fragment is not sent to the server, so the key appears in no log.
          `  ${address}/setup#${firstAdministratorKey}`,
          '',
        ]
      : []),
    ...missingLines(message),
    `  Data     ${dataFolder}`,
    ...(message.isInTerminal ? ['  Stop     Ctrl-C'] : []),
    '',
  ].join('\n');
};
