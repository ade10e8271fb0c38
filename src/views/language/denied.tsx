import { Button } from '@mantine/core';
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Notice } from '../parts/notice.tsx';
import { useMissingText } from './claim-text.ts';

interface DeniedProps {
  /** Those of which one would open it. */
  readonly claims: readonly string[];
  /** Only a part of the page is closed. */
  readonly isPart?: boolean;
}

/** In place of a page that this person may not see. */
export const Denied = ({ claims, isPart = false }: DeniedProps) => {
  const { t } = useTranslation('claims');
  const missing = useMissingText()(claims);
  return (
    <Notice
      isPage={!isPart}
      title={t('deniedTitle')}
      text={missing === null ? t('deniedText') : `${missing}. ${t('deniedText')}`}
      icon={<IconLock />}
      action={
        <Button component={Link} href="/">
          {t('deniedAction')}
        </Button>
      }
    />
  );
};
