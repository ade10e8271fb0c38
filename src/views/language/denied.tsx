import { Button } from '@mantine/core';
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Notice } from '../ui/notice.tsx';
import { useMissingText } from './claim-text.ts';

interface DeniedProps {
  /** Claims of which any one grants access. */
  readonly claims: readonly string[];
  /** Only a part of the page is denied. */
  readonly isPart?: boolean;
}

/** Shown instead of a page that the user may not see. */
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
