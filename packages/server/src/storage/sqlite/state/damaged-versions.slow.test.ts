import { test } from 'vitest';
import { temporary } from '../temporary.fixture.ts';
import { damages, expectDamage } from './damaged-versions.fixture.ts';

const at = temporary();

test.each(damages.slice(1))(
  'a version where %s costs at most the rest of its run, and every other version is readable',
  (_, ...damage) => expectDamage(at, ...damage),
);
