import { Button, Menu } from '@mantine/core';
import IconColumns3 from '@tabler/icons-react/dist/esm/icons/IconColumns3.mjs';
import { useTranslation } from 'react-i18next';
import type { ColumnChoice } from '../parts/record-table/columns.ts';

/** Which columns the table has. The first is always there. */
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
