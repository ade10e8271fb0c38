import { Button } from '@mantine/core';
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Notice } from '../parts/notice.tsx';
import { useMissingText } from './claim-text.ts';

/** In place of a page that this person may not see. `claims`: those of which one would open it. */
export const Denied = ({ claims }: { claims: readonly string[] }) => {
  const { t } = useTranslation('claims');
  const missing = useMissingText()(claims);
  return (
    <Notice
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
