import { expect, it } from 'vitest';
import { startupMessage } from '../../server/startup-message.ts';

const configured = {
  address: 'http://localhost:8080',
  hasMailServer: true,
  hasPublicUrl: true,
  dataFolder: '/data',
  demoAccounts: [],
  firstAdministratorKey: null,
  isInTerminal: true,
};
const nothing = { ...configured, hasMailServer: false, hasPublicUrl: false };
const linesAbout = (text: string) => text.split('\n').filter((line) => /docs\/|README/.test(line));

it('names what is not configured, its effect and the page to read', () => {
  expect(startupMessage(configured)).not.toContain('Not configured');
  expect(linesAbout(startupMessage({ ...configured, hasMailServer: false }))).toEqual([
    '    E-mail: users cannot request a new password themselves (docs/sign-in.md)',
  ]);
  expect(linesAbout(startupMessage(nothing))).toEqual([
    '    E-mail: users cannot request a new password themselves (docs/sign-in.md)',
    expect.stringMatching(/^ {4}DENTARIUM_PUBLIC_URL: .*\(docs\/operate\.md, HTTPS\)$/),
  ]);
});

it('names the key that stops it only in a terminal', () => {
  expect(startupMessage(configured)).toContain('Ctrl-C');
  expect(startupMessage({ ...configured, isInTerminal: false })).not.toContain('Ctrl-C');
});

it('names it in one line for the demo clinic', () => {
  const demoAccounts = [{ email: 'doctor@prov.example', password: 'x', role: 'Doctor', clinic: null }];
  expect(linesAbout(startupMessage({ ...nothing, demoAccounts }))).toEqual([
    '  Not configured: E-mail (docs/sign-in.md), DENTARIUM_PUBLIC_URL (docs/operate.md, HTTPS)',
  ]);
});
