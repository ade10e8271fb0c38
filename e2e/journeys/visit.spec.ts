import type { Page } from '@playwright/test';
import { createTestModel } from 'xstate/graph';
import { type VisitEvent, visit } from '../../tests/models/visit.ts';
import { header } from '../pages/header.ts';
import { patientPage } from '../pages/patient.ts';
import { demoPassword, people, signInPage } from '../pages/sign-in.ts';
import { expect, test } from '../test.ts';

type VisitState = 'at the door' | 'refused' | 'inside' | 'with a patient' | 'reading' | 'outside';

/** What each event means to the hands. */
const handsOf = (page: Page): Record<VisitEvent['type'], () => Promise<void>> => ({
  'gives a wrong password': () => signInPage(page).enter(people.doctor, 'Wrong-2026!'),
  'signs in': () => signInPage(page).enter(people.doctor, demoPassword),
  'finds a patient': async () => {
    await header(page).type('fagerskiold');
    await header(page).pickFirst();
  },
  'opens an image': () => patientPage(page).openFirstImage(),
  'goes back': async () => {
    await page.goBack();
  },
  'signs out': () => header(page).signOut(),
});

/** What each state means to the eyes. */
const eyesOf = (page: Page): Record<VisitState, () => Promise<void>> => ({
  'at the door': () => expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible(),
  refused: () => signInPage(page).isRefused(),
  inside: () => expect(page.getByRole('heading', { name: 'Patients' })).toBeVisible(),
  'with a patient': () => expect(patientPage(page).thumbnails().first()).toBeVisible(),
  reading: () => expect(patientPage(page).viewer).toHaveAttribute('aria-busy', 'false'),
  outside: () => expect(page.getByLabel('E-mail')).toBeVisible(),
});

/** Whole visits, the longest first, as long as each adds a step that none before it took. */
const visits = () => {
  const taken = new Set<string>();
  return createTestModel(visit)
    .getSimplePaths({ toState: (snapshot) => snapshot.matches('outside') })
    .toSorted((one, other) => other.steps.length - one.steps.length)
    .filter(({ steps }) => {
      const before = taken.size;
      steps.forEach(({ event }, index) => void taken.add(`${steps[index - 1]?.state.value} ${event.type}`));
      return taken.size > before;
    });
};

for (const path of visits())
  test(`a visit: ${path.steps
    .slice(1)
    .map(({ event }) => event.type)
    .join(', ')}`, async ({ page }) => {
    await signInPage(page).open();
    await path.test({ states: eyesOf(page), events: handsOf(page) });
  });
