import { mount } from 'svelte';
import App from './App.svelte';
import './page.css';
import { look, route, session } from './lib/session.svelte';

look.apply();
route.read();
addEventListener('hashchange', () => route.read());
await session.resume();
mount(App, { target: document.getElementById('app')! });
