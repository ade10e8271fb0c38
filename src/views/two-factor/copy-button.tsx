import { Button } from '@mantine/core';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../parts/toast.ts';

/** For how long a copy is said to have been made, in milliseconds. */
const saidMs = 2_000;

/** Copies a text, and says so. */
export const CopyButton = ({ text, label }: { text: string; label: string }) => {
  const { t } = useTranslation(['two-factor', 'shell']);
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), saidMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => toast({ tone: 'bad', text: t('notCopied'), close: t('shell:close') }),
    );
  return (
    <Button
      variant="default"
      leftSection={copied ? <IconCheck aria-hidden="true" /> : <IconCopy aria-hidden="true" />}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{copied ? t('copied') : label}</span>
    </Button>
  );
};
