import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { allClaims, defaultClaims, isLimit } from '../../contract/claims.ts';
import { startedApp, withFreshTab } from './render-app.tsx';

withFreshTab();

it.each(allClaims.filter(isLimit))('the import page under %s says what a user may import', async (limit) => {
  await startedApp('/import', { permission: [...defaultClaims.CustomerAdmin, limit] });
  await screen.findByText('To Solrosen');
  expect(screen.queryAllByText(/^You may not create studies/)).toHaveLength(limit === 'disable.new_study' ? 1 : 0);
});
