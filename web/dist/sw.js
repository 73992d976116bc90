(function(){var e={title:`Keine Verbindung`,text:`Zeitnot ist nicht erreichbar. Partien gehen auf dem Server weiter: bestätigte Züge sind sicher, und die Uhren laufen.`,again:`Noch einmal versuchen`},t={title:`No connection`,text:`Zeitnot cannot be reached. Games go on at the server: moves that it has confirmed are safe, and clocks run.`,again:`Try again`},n={en:t,de:e,fr:{title:`Pas de connexion`,text:`Zeitnot est injoignable. Les parties continuent sur le serveur : les coups confirmés sont à l’abri, et les pendules tournent.`,again:`Réessayer`},es:{title:`Sin conexión`,text:`No se puede conectar con Zeitnot. Las partidas siguen en el servidor: las jugadas confirmadas están a salvo y los relojes siguen corriendo.`,again:`Volver a intentarlo`}};function r(e){for(let t of e){let e=t.toLowerCase().split(`-`)[0]??``,r=Object.hasOwn(n,e)?n[e]:void 0;if(r)return{tag:e,text:r}}return{tag:`en`,text:t}}var i=`zeitnot-`,a=`/assets/`,o=[`/api/`,`/ws`,`/oauth`],s=e=>i+e;function c(e,t){return e.filter(e=>e.startsWith(i)&&e!==s(t))}function l(e,t){let n=new URL(e.url);return e.method!==`GET`||n.origin!==t||o.some(e=>n.pathname.startsWith(e))?null:e.mode===`navigate`?`document`:n.pathname.startsWith(a)?`asset`:null}async function u(e,t){try{return await e()}catch{return t()}}async function d(e,t,n){let r=await t.match(e);if(r)return r;let i=await n(e);return i.ok&&await t.put(e,i.clone()),i}var f=`default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;function p(e,{title:t,text:n,again:r},i){let a=`<!doctype html>
<html lang="${e}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${t} – Zeitnot</title>
<link rel="stylesheet" href="${i}">
</head>
<body>
<main class="narrow card">
<h1>${t}</h1>
<p>${n}</p>
<a class="button primary big" href="">${r}</a>
</main>
</body>
</html>
`;return new Response(a,{status:503,headers:{"content-type":`text/html; charset=utf-8`,"content-security-policy":f,"cache-control":`no-store`}})}var m=globalThis;m.addEventListener(`install`,e=>{e.waitUntil(caches.open(s(`7da9f35f889e`)).then(e=>e.add(`/assets/index-BoWGI0Fq.css`)))}),m.addEventListener(`activate`,e=>{e.waitUntil((async()=>{for(let e of c(await caches.keys(),`7da9f35f889e`))await caches.delete(e);await m.registration.navigationPreload?.enable()})())}),m.addEventListener(`fetch`,e=>{let{request:t}=e;switch(l(t,m.location.origin)){case`document`:e.respondWith(u(async()=>await e.preloadResponse??fetch(t),h));break;case`asset`:e.respondWith(caches.open(s(`7da9f35f889e`)).then(e=>d(t,e,e=>fetch(e))))}});function h(){let{tag:e,text:t}=r(m.navigator.languages);return p(e,t,`/assets/index-BoWGI0Fq.css`)}m.addEventListener(`notificationclick`,e=>{let{path:t}=e.notification.data;e.notification.close(),e.waitUntil(g(t))});async function g(e){let t=await m.clients.matchAll({type:`window`,includeUncontrolled:!0}),n=t.find(({url:t})=>new URL(t).pathname===e)??t[0];n?(await n.focus(),n.postMessage({open:e})):await m.clients.openWindow(e)}})();