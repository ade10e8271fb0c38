import { Button } from '@mantine/core';
import IconCloudLock from '@tabler/icons-react/dist/esm/icons/IconCloudLock.mjs';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazily } from '../parts/lazily.ts';
import classes from './azure.module.css';

const AzureSettings = lazily(async () => (await import('./azure-settings.tsx')).AzureSettings);

/** The way to the settings of Azure AD, for those who may see them (`user.get_sa`). */
export const AzureSettingsButton = () => {
  const { t } = useTranslation('azure');
  const [open, setOpen] = useState(false);
  return (
    <section className={classes.way}>
      <h3 className={classes.heading}>{t('signInMethods')}</h3>
      <Button
        variant="default"
        className={classes.opener}
        leftSection={<IconCloudLock aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        {t('open')}
      </Button>
      {open && (
        <Suspense fallback={null}>
          <AzureSettings onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </section>
  );
};
