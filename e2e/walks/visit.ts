import { header } from '../pages/header.ts';
import { patientPage } from '../pages/patient.ts';
import { demoPassword, demoUsers, signInPage } from '../pages/sign-in.ts';
import { expect } from '../test.ts';
import type { WalkerOn } from './walker.ts';

export const visitWalker: WalkerOn<'visit'> = (page) => ({
  begin: () => signInPage(page).open(),
  actions: {
    'enters a wrong password': () => signInPage(page).enter(demoUsers.doctor, 'Wrong-2026!'),
    'signs in': () => signInPage(page).enter(demoUsers.doctor, demoPassword),
    'finds a patient': async () => {
      await header(page).type('fagerskiold');
      await header(page).pickFirst();
    },
    'opens an image': () => patientPage(page).openFirstImage(),
    'goes back': () => page.goBack(),
    'signs out': () => header(page).signOut(),
    returns: () => page.goto('/'),
  },
  assertions: {
    'sign-in page': () => expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible(),
    rejected: () => signInPage(page).isRejected(),
    'search page': () => expect(page.getByRole('heading', { name: 'Patients' })).toBeVisible(),
    'patient page': () => expect(patientPage(page).thumbnails().first()).toBeVisible(),
    viewer: () => expect(patientPage(page).viewer).toHaveAttribute('aria-busy', 'false'),
    'signed out': () => expect(page.getByLabel('E-mail')).toBeVisible(),
  },
});
