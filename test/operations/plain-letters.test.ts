import { expect } from 'vitest';
import { titleSlug } from '#core/graph/slug.js';
import { plainLetters } from '#operations/plain-letters.js';
import { verifies } from '../verifies.js';

verifies('tree.ids', 'a title in any script gives an id that tells what it is about', async () => {
  const IDS: readonly (readonly [title: string, id: string])[] = [
    ['Fix the login', 'fix-the-login'],
    ['Café naïve résumé', 'cafe-naive-resume'],
    ['Ärger mit Übergrößen', 'arger-mit-ubergrossen'],
    ['Zażółć gęślą jaźń', 'zazolc-gesla-jazn'],
    ['Исправить большой вход', 'ispravit-bolshoy-vkhod'],
    ['Διόρθωση σύνδεσης', 'diorthosi-syndesis'],
    ['로그인 오류 수정', 'logeuin-olyu-sujeong'],
    ['إصلاح تسجيل الدخول', 'slh-tsjyl-ldkhwl'],
    ['लॉगिन ठीक करें', 'login-thik-krem'],
    ['🎭', 'performing-arts'],
    ['   ', 'task'],
  ];
  const made = await Promise.all(IDS.map(async ([title]) => [title, titleSlug(await plainLetters(title))]));
  expect(made).toEqual(IDS);
  // Where a word ends is said by the dictionaries of the Node at hand.
  expect(titleSlug(await plainLetters('修复登录页面的错误'))).toMatch(/^xiufu-denglu-/);
  expect(titleSlug(await plainLetters('ログインを修正する'))).toMatch(/^roguin-o-xiuzheng/);
  expect(titleSlug(await plainLetters('แก้ไขการเข้าสู่ระบบ'))).toMatch(/^aekaikh-kar-/);
});

verifies('tree.ids', 'what stands in Latin letters is taken as it is', async () => {
  for (const title of ['Fix the login', 'Café', '“Say hello” – now', 'v2.0 → v3.0'])
    expect(await plainLetters(title)).toBe(title);
});
