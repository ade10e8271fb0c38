import { Button, Menu } from '@mantine/core';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconColumns3 from '@tabler/icons-react/dist/esm/icons/IconColumns3.mjs';
import { useTranslation } from 'react-i18next';
import type { ColumnChoice } from '../parts/record-table/columns.ts';
import classes from './list-bar.module.css';

/** Which columns the table has. The first is always there. */
export const ColumnMenu = <Row, Sort extends string>({ choice }: { readonly choice: ColumnChoice<Row, Sort> }) => {
  const { t } = useTranslation('lists');
  return (
    <Menu position="bottom-end" withinPortal closeOnItemClick={false}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconColumns3 aria-hidden="true" />}>
          {t('columns')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {choice.all.slice(1).map(({ key, name }) => (
          <Menu.Item
            key={key}
            role="menuitemcheckbox"
            aria-checked={choice.isShown(key)}
            leftSection={<IconCheck aria-hidden="true" className={choice.isShown(key) ? undefined : classes.unseen} />}
            onClick={() => choice.toggle(key)}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};
