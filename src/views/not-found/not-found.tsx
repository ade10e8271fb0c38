import { Button } from '@mantine/core';
import IconMapOff from '@tabler/icons-react/dist/esm/icons/IconMapOff.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Notice } from '../parts/notice.tsx';

export const NotFound = () => {
  const { t } = useTranslation('shell');
  return (
    <Notice
      isPage
      title={t('notFoundTitle')}
      text={t('notFoundText')}
      icon={<IconMapOff />}
      action={
        <Button component={Link} href="/">
          {t('notFoundAction')}
        </Button>
      }
    />
  );
};
