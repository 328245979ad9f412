import { makeExamples } from '../tools/examples.ts';
import { makeHeaderStore } from '../tools/header-store.ts';
import { mount } from '../tools/mount.tsx';
import { makeStorage } from '../tools/storage.ts';
import { Tool } from '../tools/tool.tsx';

const NAME = 'earshot-playground';

mount(
  <Tool
    title="API playground"
    headers={makeHeaderStore({ apikey: '', ssotype: 'SSO', ssoid: '1' }, `${NAME}-headers`)}
    canRemember
    examples={makeExamples(null)}
    storage={makeStorage(NAME)}
  />,
);
