import { expect, it } from 'vitest';
import { startupMessage } from '../../server/startup-message.ts';

const screen = {
  address: 'http://localhost:8080',
  lacksPublicUrl: false,
  dataFolder: '/data',
  demoAccounts: [],
  firstAdministratorKey: null,
};

it('names the setting that other machines need, only if it is missing', () => {
  expect(startupMessage({ ...screen, lacksPublicUrl: true })).toContain('Set DENTARIUM_PUBLIC_URL');
  expect(startupMessage(screen)).not.toContain('DENTARIUM_PUBLIC_URL');
});
