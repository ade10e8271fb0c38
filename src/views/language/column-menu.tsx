import { Button, Menu } from '@mantine/core';
import IconColumns3 from '@tabler/icons-react/dist/esm/icons/IconColumns3.mjs';
import { useTranslation } from 'react-i18next';
import type { ColumnChoice } from '../ui/record-table/columns.ts';

/** Menu of the table's columns. The first is always shown. */
export const ColumnMenu = <Row, Sort extends string>({ choice }: { readonly choice: ColumnChoice<Row, Sort> }) => {
  const { t } = useTranslation('lists');
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" leftSection={<IconColumns3 aria-hidden="true" />}>
          {t('columns')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {choice.all.slice(1).map(({ key, name }) => (
          <Menu.CheckboxItem key={key} checked={choice.isShown(key)} onChange={() => choice.toggle(key)}>
            {name}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};
