import { MantineProvider } from '@mantine/core';
import type { i18n } from 'i18next';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import '../theme/mantine.css';
import '../theme/theme.css';
import { styleNonce, theme } from '../theme/theme.ts';
import type { SharedLinkAddress } from './link-of.ts';
import type { SharedAccess } from './shared-access.ts';
import { SharedPage } from './shared-page.tsx';

interface Shown {
  /** Null: the address is not complete. */
  readonly link: SharedLinkAddress | null;
  readonly access: SharedAccess;
  readonly translation: i18n;
}

/** Renders the page for recipients of links, light or dark as the browser is. */
export const showShared = ({ link, access, translation }: Shown): void => {
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  createRoot(root).render(
    <StrictMode>
      <I18nextProvider i18n={translation}>
        <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={styleNonce}>
          <SharedPage link={link} access={access} />
        </MantineProvider>
      </I18nextProvider>
    </StrictMode>,
  );
};
