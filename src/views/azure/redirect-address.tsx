import { Button, TextInput } from '@mantine/core';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { upstreamCallbackPath } from '../../../contract/interactions.ts';
import classes from './azure.module.css';

/** The address that Azure must know to send people back to, to be copied. Where the browser lets nobody copy, it is selected instead. */
export const RedirectAddress = () => {
  const { t } = useTranslation('azure');
  const field = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState(false);
  const address = `${window.location.origin}${upstreamCallbackPath('aad')}`;
  const copy = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(address);
      setCopied(true);
    } catch {
      setCopied(false);
    }
  };
  return (
    <div className={classes.address}>
      <TextInput
        ref={field}
        label={t('redirectUri')}
        description={t('redirectUriHelp')}
        readOnly
        value={address}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button
        variant="default"
        leftSection={copied ? <IconCheck aria-hidden="true" /> : <IconCopy aria-hidden="true" />}
        onClick={() => void copy()}
        onBlur={() => setCopied(false)}
      >
        <span aria-live="polite">{copied ? t('copied') : t('copy')}</span>
      </Button>
    </div>
  );
};
