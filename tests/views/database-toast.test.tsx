import { screen, waitFor } from '@testing-library/react';
import { getI18n } from 'react-i18next';
import { expect, it } from 'vitest';
import { showDatabaseAvailable, showDatabaseUnavailable } from '../../src/views/app/shell/database-toast.ts';
import { ToastStrip } from '../../src/views/ui/toast-strip.tsx';
import { show } from './render.tsx';

it('shows once that the database is unavailable, and then that it is back', async () => {
  let i18n = getI18n();
  await show(<ToastStrip />, async (translation) => {
    i18n = translation;
  });
  showDatabaseUnavailable(i18n);
  showDatabaseUnavailable(i18n);
  const away = /database is not available. The page continues by itself when it is back/;
  expect((await screen.findByText(away)).closest('[role=alert]')).toBeTruthy();
  expect(screen.getAllByText(away)).toHaveLength(1);
  // The user can do nothing about it, so it cannot be closed.
  expect(screen.queryByRole('button')).toBeNull();
  showDatabaseAvailable(i18n);
  await screen.findByText('The archive’s database is available again.');
  await waitFor(() => expect(screen.queryByText(away)).toBeNull());
});
